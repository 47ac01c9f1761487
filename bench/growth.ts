import { Client } from 'pg'
import { dayLiteral, sql, toStatement, type Sql } from '../apps/service/src/platform/db/sql.ts'
import { newSessionId } from '../apps/service/src/platform/ids.ts'
import { startProcesses, type ServiceProcesses } from '../apps/service/test/processes/processes.ts'
import type { Merchant } from '../apps/service/test/service.ts'
import { load, portOf } from './run-load.ts'
import { compare, type Bench, type Figure } from './figure.ts'
import type { Load } from './load.ts'

const rows = 10_000_000
const days = 25
const rounds = 3
const seconds = 4
const sampled = 500
const day_ms = 86_400_000

/** Creating, reading and listing with ten million sessions in the tables, compared with empty tables. */
const growth: Bench = async () => {
  await using full = await startProcesses(1, { environment: { LOG_LEVEL: 'error' } })
  await using empty = await startProcesses(1, { environment: { LOG_LEVEL: 'error' } })
  const [owner, newTenant] = [
    await full.tenant({ daily_quota: 2_000_000_000 }),
    await empty.tenant({ daily_quota: 2_000_000_000 }),
  ]
  await insertSessions(full, owner)
  const kinds = { create: creating, get: reading, list: listing }
  const figures: Figure[] = []
  for (const [name, kind] of Object.entries(kinds)) {
    const loads = { full: await kind(full, owner), empty: await kind(empty, newTenant) }
    const rates = { full: [] as number[], empty: [] as number[] }
    for (let round = 0; round <= rounds; round += 1) {
      const pair = { empty: (await load(loads.empty)).rate, full: (await load(loads.full)).rate }
      if (round === 0) continue
      rates.full.push(pair.full)
      rates.empty.push(pair.empty)
    }
    figures.push(compare(`growth.${name}`, '1/s', { values: rates.full, bare: rates.empty }))
  }
  return figures
}

export const benches: Record<string, Bench> = { growth }

/**
 * Inserts ten million sessions of the last days, for the given tenant and 99 others, one day at a time, over a connection
 * without the service's time limits.
 */
async function insertSessions(service: ServiceProcesses, { tenant_id }: Merchant): Promise<void> {
  const client = new Client({ connectionString: service.database_url })
  await client.connect()
  const execute = (statement: Sql) => client.query(toStatement(statement))
  const perDay = rows / days
  for (let back = 1; back <= days; back += 1) {
    const day = new Date(Date.now() - back * day_ms).toISOString().slice(0, 10)
    const prefix = newSessionId('0', day).slice(0, 7)
    await execute(sql`select make_partitions('verification_sessions', ${day}, ${day})`)
    await execute(sql`
      insert into verification_sessions (
        day, id, tenant_id, environment, status, template, template_version, metadata, purpose, redirect_url, certificate,
        created_at, expires_at, responded_at)
      select ${dayLiteral(day)},
        ${prefix} || translate(encode(uuid_send(gen_random_uuid()) || int4send(n), 'base64'), '+/=', '-_') ,
        case when n % 100 = 0 then ${tenant_id}::uuid else md5((n % 100)::text)::uuid end, 'test', 'failed', 'age_over_18',
        sha256(int4send(n)), '{"order":"A-123456"}', 'Age check at the till', 'https://merchant.example/return',
        sha256(int4send(n)), ${dayLiteral(day)} + n * interval '100 milliseconds', ${dayLiteral(day)} + n * interval '100 milliseconds' + interval '300 seconds',
        ${dayLiteral(day)} + n * interval '100 milliseconds'
      from generate_series(1, ${perDay}::integer) n`)
    await execute(sql`insert into usage_days values (${tenant_id}, ${day}, ${perDay / 100})`)
  }
  // So that the benchmark measures a full table and not the after-effects of filling it.
  await execute(sql`vacuum analyze verification_sessions`)
  await execute(sql`checkpoint`)
  await client.end()
}

async function creating(service: ServiceProcesses, { key }: Merchant): Promise<Load> {
  const body = JSON.stringify({ template: 'age_over_18', purpose: 'Age check at the till' })
  return {
    ...common(service, key),
    method: 'POST',
    paths: ['/v1/verifications'],
    body,
    idempotent: true,
    expect: 201,
  }
}

async function reading(service: ServiceProcesses, { tenant_id, key }: Merchant): Promise<Load> {
  const found = await service.ctx.db.query<{ id: string }>(sql`
    select id from verification_sessions where tenant_id = ${tenant_id} order by md5(id) limit ${sampled}`)
  return {
    ...common(service, key),
    method: 'GET',
    paths: found.map(({ id }) => `/v1/verifications/${id}`),
    expect: 200,
  }
}

async function listing(service: ServiceProcesses, { key }: Merchant): Promise<Load> {
  return { ...common(service, key), method: 'GET', paths: ['/v1/verifications'], expect: 200 }
}

function common(
  service: ServiceProcesses,
  key: string,
): Pick<Load, 'port' | 'connections' | 'seconds' | 'keys'> {
  return { port: portOf(service), connections: 64, seconds, keys: [key] }
}
