import type { Environment } from '@vidimus/contract'
import type { Db } from '../../../engine/db/index.ts'
import { sql } from '../../../engine/db/sql.ts'

type TenantEnvironment = { tenant_id: string; environment: Environment }

export type WebhookHealth = {
  attempts: number
  delivered: number
  waiting: number
  exhausted: number
  exhausted_last_at: string | null
  median_ms: number | null
  last_delivered_at: string | null
}

/** Only the newest rows are read, up to this many. */
const maxRows = 20_000

/** Statistics of the last 24 hours. An event is exhausted if its last attempt failed and it is no longer in the queue. */
export async function readHealth(
  db: Db,
  { tenant_id, environment }: TenantEnvironment,
): Promise<WebhookHealth> {
  const [row] = await db.query<WebhookHealth>(sql`
    with recent as (
      select session_id, endpoint_id, attempt, attempted_at, outcome, duration_ms
      from webhook_deliveries
      where tenant_id = ${tenant_id} and environment = ${environment}
        and attempted_at > service_now() - interval '1 day'
      order by attempted_at desc
      limit ${maxRows}
    ), last as (
      select distinct on (session_id, endpoint_id) session_id, endpoint_id, attempted_at, outcome
      from recent
      order by session_id, endpoint_id, attempt desc
    ), exhausted as (
      select attempted_at from last
      where outcome <> 'delivered'
        and not exists (
          select from webhook_events queue where queue.session_id = last.session_id and queue.endpoint_id = last.endpoint_id)
    )
    select count(*) as attempts,
      count(*) filter (where outcome = 'delivered') as delivered,
      (select count(*) from (
        select from webhook_events where tenant_id = ${tenant_id} and environment = ${environment} limit ${maxRows}) queue
      ) as waiting,
      (select count(*) from exhausted) as exhausted,
      (select max(attempted_at) from exhausted) as exhausted_last_at,
      percentile_cont(0.5) within group (order by duration_ms) filter (where outcome = 'delivered') as median_ms,
      max(attempted_at) filter (where outcome = 'delivered') as last_delivered_at
    from recent`)
  if (row === undefined) throw new Error('The aggregate query returned no row.')
  return row
}

/** Whether any of the newest 1,000 attempts was delivered. */
export async function hasDelivered(db: Db, { tenant_id, environment }: TenantEnvironment): Promise<boolean> {
  const [row] = await db.query<{ delivered: boolean | null }>(sql`
    select bool_or(outcome = 'delivered') as delivered
    from (
      select outcome from webhook_deliveries
      where tenant_id = ${tenant_id} and environment = ${environment}
      order by attempted_at desc
      limit 1000) newest`)
  return row?.delivered === true
}

export type QueuedEvent = { url: string; due_at: string; sending: boolean }

/** The event of a session for one receiver that is still in the queue, if any. */
export async function findQueuedEvent(
  db: Db,
  {
    tenant_id,
    environment,
    session_id,
    endpoint_id,
  }: TenantEnvironment & { session_id: string; endpoint_id: string },
): Promise<QueuedEvent | undefined> {
  const [row] = await db.query<QueuedEvent>(sql`
    select url, due_at, lease is not null as sending
    from webhook_events
    where session_id = ${session_id} and endpoint_id = ${endpoint_id} and tenant_id = ${tenant_id} and environment = ${environment}`)
  return row
}

export async function readLatestAttemptTimes(
  db: Db,
  tenants: readonly string[],
): Promise<{ tenant_id: string; at: string }[]> {
  return db.query<{ tenant_id: string; at: string }>(sql`
    select given.tenant_id, max(newest.attempted_at) as at
    from unnest(${tenants}::uuid[]) as given (tenant_id)
    cross join unnest(array['test', 'live']) as given_environment (environment)
    join lateral (
      select attempted_at from webhook_deliveries d
      where d.tenant_id = given.tenant_id and d.environment = given_environment.environment
        and d.session_day >= service_day() - 1
      order by attempted_at desc
      limit 1) newest on true
    group by given.tenant_id`)
}
