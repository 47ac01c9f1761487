import { sql } from '../apps/service/src/engine/db/sql.ts'
import { startProcesses, type ServiceProcesses } from '../apps/service/test/processes/processes.ts'
import { testEnvironment, type Merchant } from '../apps/service/test/service.ts'
import { waitUntil } from '../apps/service/test/wait-until.ts'
import { startWorkerProcesses } from '../apps/service/test/processes/worker-processes.ts'
import { load, portOf } from './run-load.ts'
import { compare, type Bench, type Figure } from './figure.ts'

const pairs = 10
const seconds = 3
const connections = 64
const tenants = 100
const perSecond = 300

/** Creating while a worker sequences and signs the entries, compared with creating while the inbox fills up. */
export const benches: Record<string, Bench> = {
  'audit.create_beside': createBesideWorker,
}

async function createBesideWorker(): Promise<Figure[]> {
  await using service = await startProcesses(1, { environment: { LOG_LEVEL: 'error', METRICS_PORT: 'off' } })
  const merchants = await Promise.all(
    Array.from({ length: tenants }, () => service.tenant({ daily_quota: 2_000_000_000 })),
  )
  const atFixedRate = await interleave(
    service,
    async () => (await create(service, merchants, perSecond)).p50_ms,
  )
  const atFullSpeed = await interleave(service, async () => (await create(service, merchants)).rate)
  return [
    compare('audit.create_beside.300_a_second', 'ms', atFixedRate),
    compare('audit.create_beside.full_speed', 'creations/s', atFullSpeed),
  ]
}

/** Pairs of rounds, with and without the worker, in alternating order, so that the after-effects of a round fall on both. */
async function interleave(service: ServiceProcesses, round: () => Promise<number>) {
  const beside: number[] = []
  const alone: number[] = []
  await round()
  for (let pair = 0; pair < pairs; pair += 1) {
    if (pair % 2 === 0) alone.push(await round())
    beside.push(await besideWorker(service, round))
    if (pair % 2 === 1) alone.push(await round())
  }
  return { values: beside, bare: alone }
}

async function besideWorker(service: ServiceProcesses, round: () => Promise<number>): Promise<number> {
  const environment = testEnvironment(service.database_url, { METRICS_PORT: 'off', LOG_LEVEL: 'error' })
  const workerProcesses = await startWorkerProcesses({ workers: 1, environment })
  try {
    await waitUntil(() => isDrained(service), { within_ms: 60_000 })
    const found = await round()
    await waitUntil(() => isDrained(service), { within_ms: 60_000 })
    return found
  } finally {
    await workerProcesses[Symbol.asyncDispose]()
  }
}

async function isDrained({ ctx }: ServiceProcesses): Promise<boolean> {
  return (await ctx.db.query(sql`select 1 from audit_inbox limit 1`)).length === 0
}

async function create(service: ServiceProcesses, merchants: Merchant[], per_second?: number) {
  const body = JSON.stringify({ template: 'age_over_18', purpose: 'Age check at the till' })
  const loaded = await load({
    port: portOf(service),
    connections,
    seconds,
    method: 'POST',
    paths: ['/v1/verifications'],
    keys: merchants.map(({ key }) => key),
    body,
    expect: 201,
    ...(per_second !== undefined && { per_second }),
  })
  if (Object.keys(loaded.other).length > 0)
    throw new Error(`some requests failed: ${JSON.stringify(loaded.other)}`)
  return loaded
}
