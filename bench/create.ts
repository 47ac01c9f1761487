import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from '../apps/service/src/engine/db/sql.ts'
import { runSqlText } from '../apps/service/test/database/clock.ts'
import { startProcesses, type ServiceProcesses } from '../apps/service/test/processes/processes.ts'
import type { Merchant } from '../apps/service/test/service.ts'
import { compare, type Bench } from './figure.ts'
import type { Load } from './load.ts'
import { compareTails, load, output, portOf } from './run-load.ts'

const rounds = 3
const seconds = 5
const connections = 64
const clientCounts = [4, 8, 16, 32]
const manyTenants = 200

/** Creating over HTTP, with authentication and an Idempotency-Key, compared with inserting the same rows with pgbench at its best. */
export const benches: Record<string, Bench> = {
  'create.hot_tenant': () => creating('create.hot_tenant', 1),
  'create.many_tenants': () => creating('create.many_tenants', manyTenants),
}

async function creating(name: string, tenants: number) {
  await using service = await startProcesses(1, { environment: { LOG_LEVEL: 'error' } })
  const merchants = await Promise.all(
    Array.from({ length: tenants }, () => service.tenant({ daily_quota: 2_000_000_000 })),
  )
  await prepareRowByRow(service, merchants)
  const clients = await findBestClients(service, tenants)
  await load(creations(service, merchants))
  const rates = { values: [] as number[], bare: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    rates.bare.push(await insertRows(service, { tenants, clients }))
    rates.values.push((await load(creations(service, merchants))).rate)
  }
  return [
    compare(name, 'creations/s', rates),
    await compareTails(name, {
      prepare: async () => creations(service, merchants),
      rates: rates.values,
      bare_ms: (per_second) => insertRowsAtRate(service, { tenants, clients, per_second }),
    }),
  ]
}

export const creationBody = JSON.stringify({
  template: 'age_over_18',
  metadata: { order: 'A-123456' },
  purpose: 'Age check at the till',
  redirect_url: 'https://merchant.example/return',
})

/** Creations with all that a merchant may send. */
export function creations(service: ServiceProcesses, merchants: Merchant[]): Load {
  return {
    port: portOf(service),
    connections,
    seconds,
    method: 'POST',
    paths: ['/v1/verifications'],
    keys: merchants.map(({ key }) => key),
    body: creationBody,
    idempotent: true,
    expect: 201,
  }
}

/** The number of clients with which pgbench is fastest, found before the rounds, and the warm-up of both. */
async function findBestClients(service: ServiceProcesses, tenants: number): Promise<number> {
  let best = { clients: 0, rate: 0 }
  for (const clients of clientCounts) {
    const rate = await insertRows(service, { tenants, clients })
    if (rate > best.rate) best = { clients, rate }
  }
  return best.clients
}

type Insertion = { tenants: number; clients: number }

/** The rate of inserting rows. */
async function insertRows(service: ServiceProcesses, insertion: Insertion): Promise<number> {
  return Number(/tps = ([\d.]+)/.exec(await runPgbench(service, insertion))?.[1])
}

/** The 99th percentile of the time of an insertion, from when it was due, in milliseconds. */
async function insertRowsAtRate(
  service: ServiceProcesses,
  { per_second, ...insertion }: Insertion & { per_second: number },
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-bench-'))
  try {
    await runPgbench(service, insertion, [`--rate=${per_second}`, '--log', `--log-prefix=${folder}/of`])
    // Each line: client, number, microseconds since the insertion was due, script, second of its end, and more.
    const lines = readdirSync(folder)
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
      .map((line) => line.split(' ').map(Number))
    const first = Math.min(...lines.map(([, , , , second = Number.NaN]) => second))
    const times_us = lines
      .flatMap(([, , time_us = Number.NaN, , second = 0]) => (second > first ? [time_us] : []))
      .toSorted((a, b) => a - b)
    return (times_us[Math.floor(times_us.length * 0.99)] ?? Number.NaN) / 1000
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function runPgbench(
  { database_url }: ServiceProcesses,
  { tenants, clients }: Insertion,
  more: readonly string[] = [],
): Promise<string> {
  return output('pgbench', [
    '--no-vacuum',
    '--protocol=prepared',
    `--client=${clients}`,
    '--jobs=2',
    `--time=${seconds}`,
    `--define=tenants=${tenants}`,
    `--file=${fileURLToPath(new URL('./create-row.pgbench', import.meta.url))}`,
    ...more,
    database_url,
  ])
}

export async function prepareRowByRow({ ctx }: ServiceProcesses, merchants: Merchant[]): Promise<void> {
  for (const text of readFileSync(new URL('./create-row.sql', import.meta.url), 'utf8').split(/;\n\n/))
    await runSqlText(ctx.db, text)
  for (const [number, { tenant_id }] of merchants.entries())
    await ctx.db.execute(sql`insert into bench_tenants values (${number + 1}, ${tenant_id})`)
}
