import { dayLiteral, sql } from '../../apps/service/src/engine/db/sql.ts'
import { dropPartition } from '../../apps/service/src/engine/db/schema/partitions.ts'
import { newVerificationId } from '../../apps/service/src/engine/basics/ids.ts'
import { expireVerifications } from '../../apps/service/src/verifications/retention/expire.ts'
import { insertCompletedVerifications } from '../../apps/service/test/database/completed-verifications.ts'
import type { ServiceProcesses } from '../../apps/service/test/processes/processes.ts'
import type { Load } from '../load.ts'
import { load, loadAnew, portOf } from '../run-load.ts'
import { dayBefore } from './days.ts'
import { insertVerifications } from './fill.ts'
import type { GrowthName } from './texts.ts'

/** One of the two sides that are compared: a service on the filled database, or on an empty one. */
export type Side = {
  service: ServiceProcesses
  tenant_id: string
  key: string
  isFilled: boolean
}

/** Runs one round and returns how many it did per second. */
export type MeasureGrowth = (side: Side) => Promise<number>

const seconds = 3
const connections = 32
const sampled = 500
const sampledDays = 25
/** Every day has enough verifications after this hour. */
const sampledHours = 8
const listed = 20
const erased = 800
const swept = 5000
const dropped = 300_000
const body = JSON.stringify({
  template: 'age_over_18',
  metadata: { order: 'A-123456' },
  purpose: 'Age check at the till',
  redirect_url: 'https://merchant.example/return',
})

/** What a request or job does with verifications. On the empty side, verifications are of today and exist only for the operation. */
export const growthOperations: Record<GrowthName, MeasureGrowth> = {
  create: (side) =>
    send(side, { method: 'POST', paths: ['/v1/verifications'], body, idempotent: true, expect: 201 }),
  get: async (side) => send(side, { method: 'GET', paths: pathsOf(await sampleToday(side)), expect: 200 }),
  get_any_day: async (side) =>
    send(side, { method: 'GET', paths: pathsOf(await sampleAnyDay(side, sampled)), expect: 200 }),
  poll: async (side) => {
    const paths = pathsOf(await sampleToday(side)).map((path) => `${path}/status`)
    return send(side, { method: 'GET', paths, expect: 200 })
  },
  list: async (side) => {
    // Both sides list the same.
    await insertCompleted(side, listed)
    return send(side, { method: 'GET', paths: ['/v1/verifications'], expect: 200 })
  },
  erase: (side) => erase(side, () => insertCompleted(side, erased)),
  erase_any_day: (side) => erase(side, () => sampleAnyDay(side, erased)),
  sweep,
  drop,
}

type Requests = Omit<Load, 'port' | 'connections' | 'seconds' | 'keys'>

async function send(side: Side, requests: Requests): Promise<number> {
  return (await load(toLoad(side, requests))).rate
}

async function erase(side: Side, pick: () => Promise<string[]>): Promise<number> {
  const { rate } = await loadAnew(async () => {
    const ids = await pick()
    return toLoad(side, { method: 'DELETE', paths: pathsOf(ids), requests: ids.length, expect: 200 })
  })
  return rate
}

function toLoad({ service, key }: Side, requests: Requests): Load {
  return { ...requests, port: portOf(service), connections, seconds, keys: [key] }
}

const pathsOf = (ids: readonly string[]) => ids.map((id) => `/v1/verifications/${id}`)

async function sampleToday(side: Side): Promise<string[]> {
  if (!side.isFilled) return insertCompleted(side, sampled)
  return sample(side, await readToday(side), sampled)
}

async function sampleAnyDay(side: Side, count: number): Promise<string[]> {
  if (!side.isFilled) return insertCompleted(side, count)
  const days = await side.service.ctx.db.query<{ day: string }>(
    sql`select day from growth_days order by random() limit ${sampledDays}`,
  )
  const ids: string[] = []
  for (const { day } of days) ids.push(...(await sample(side, day, Math.ceil(count / days.length))))
  return ids.slice(0, count)
}

/** Completed verifications of the measured tenant from a time of the day picked at random. */
async function sample({ service, tenant_id }: Side, day: string, count: number): Promise<string[]> {
  const rows = await service.ctx.db.query<{ id: string }>(sql`
    select id from verification_sessions
    where day = ${dayLiteral(day)} and tenant_id = ${tenant_id} and environment = 'test' and status = 'completed'
      and created_at >= ${dayLiteral(day)}::timestamp at time zone 'UTC' + ${Math.random() * sampledHours} * interval '1 hour'
    order by created_at limit ${count}`)
  return rows.map(({ id }) => id)
}

function insertCompleted({ service, tenant_id }: Side, count: number): Promise<string[]> {
  const url = 'https://merchant.example/hooks'
  return service.ctx.db.transaction((tx) => insertCompletedVerifications(tx, { tenant_id, url, count }))
}

async function sweep(side: Side): Promise<number> {
  const { ctx } = side.service
  const day = await readToday(side)
  const ids = Array.from({ length: swept }, () => newVerificationId('0', day))
  await ctx.db.execute(sql`
    insert into verification_sessions (day, id, tenant_id, environment, template, certificate, seed, created_at, expires_at)
    select ${day}, id, ${side.tenant_id}, 'test', 'age_over_18', sha256('certificate'), sha256(convert_to(id, 'UTF8')),
      service_now() - interval '2 minutes', service_now() - interval '1 minute'
    from unnest(${ids}::text[]) as given (id)`)
  const started = performance.now()
  await expireVerifications(ctx)
  return (swept * 1000) / (performance.now() - started)
}

/** A day that no verification can be created in yet, so that nothing else uses its partition. */
async function drop(side: Side): Promise<number> {
  const { db } = side.service.ctx
  const day = dayBefore(await readToday(side), -6)
  await insertVerifications(side.service.database_url, {
    day,
    verifications: dropped,
    tenant_id: side.tenant_id,
  })
  const started = performance.now()
  const isDropped = await dropPartition(db, 'verification_sessions', day)
  const took_ms = performance.now() - started
  if (!isDropped) throw new Error('the partition was in use')
  await db.query(sql`select make_partitions('verification_sessions', ${day}, ${day})`)
  return 1000 / took_ms
}

async function readToday({ service }: Side): Promise<string> {
  const [row] = await service.ctx.db.query<{ day: string }>(sql`select service_day() as day`)
  return row?.day ?? ''
}
