import type { Environment, VerificationEventType } from '@vidimus/contract'
import type { Db } from '../../../engine/db/index.ts'
import { sql } from '../../../engine/db/sql.ts'
import type { DeliveryOutcome } from './describe-outcome.ts'

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
      select verification_id, endpoint_id, attempt, attempted_at, outcome, duration_ms
      from webhook_deliveries
      where tenant_id = ${tenant_id} and environment = ${environment}
        and attempted_at > service_now() - interval '1 day'
      order by attempted_at desc
      limit ${maxRows}
    ), last as (
      select distinct on (verification_id, endpoint_id) verification_id, endpoint_id, attempted_at, outcome
      from recent
      order by verification_id, endpoint_id, attempt desc
    ), exhausted as (
      select attempted_at from last
      where outcome <> 'delivered'
        and not exists (
          select from webhook_events queue where queue.verification_id = last.verification_id and queue.endpoint_id = last.endpoint_id)
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

type QueuedEvent = { url: string; due_at: string; sending: boolean }

/** The event of a verification for one receiver that is still in the queue, if any. */
export async function findQueuedEvent(
  db: Db,
  {
    tenant_id,
    environment,
    verification_id,
    endpoint_id,
  }: TenantEnvironment & { verification_id: string; endpoint_id: string },
): Promise<QueuedEvent | undefined> {
  const [row] = await db.query<QueuedEvent>(sql`
    select url, due_at, lease is not null as sending
    from webhook_events
    where verification_id = ${verification_id} and endpoint_id = ${endpoint_id} and tenant_id = ${tenant_id} and environment = ${environment}`)
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
        and d.verification_day >= service_day() - 1
      order by attempted_at desc
      limit 1) newest on true
    group by given.tenant_id`)
}

export type Delivery = {
  verification_id: string
  /** Empty for the verification's own URL. */
  endpoint_id: string
  /** What was announced, and where to. Null for attempts from before these were recorded. */
  event_type: VerificationEventType | null
  url: string | null
  attempt: number
  attempted_at: string
  outcome: DeliveryOutcome['outcome'] | 'interrupted' | 'unknown'
  status: number | null
  duration_ms: number | null
  error: string | null
}

export type ListDeliveries = {
  tenant_id: string
  environment: Environment
  /** Only those of one verification. */
  verification_id?: string
  /** Only those to one receiver; empty for the verifications' own URLs. */
  endpoint_id?: string
  event_type?: VerificationEventType
  /** Only those with one of these outcomes. */
  outcomes?: readonly Delivery['outcome'][]
  /** Only those made before this time. */
  before?: string
  /** Only those made at this time or later. */
  after?: string
  /** 1-100. */
  limit: number
}

/** A tenant's attempts, newest first. */
export async function readDeliveries(
  db: Db,
  { tenant_id, environment, limit, ...filter }: ListDeliveries,
): Promise<Delivery[]> {
  const { verification_id = null, endpoint_id = null, event_type = null } = filter
  const { outcomes = null, before = null, after = null } = filter
  return db.query<Delivery>(sql`
    select verification_id, endpoint_id, event_type, url, attempt, attempted_at, outcome, status, duration_ms, error
    from webhook_deliveries
    where tenant_id = ${tenant_id} and environment = ${environment}
      and (${verification_id}::text is null or verification_id = ${verification_id})
      and (${outcomes}::text[] is null or outcome = any(${outcomes}))
      and (${endpoint_id}::text is null or endpoint_id = ${endpoint_id})
      and (${event_type}::text is null or event_type = ${event_type})
      and (${before}::timestamptz is null or attempted_at < ${before})
      and (${after}::timestamptz is null or attempted_at >= ${after})
    order by attempted_at desc, attempt desc
    limit ${Math.min(limit, 100)}`)
}

/** A tenant's events by their latest attempt, newest first. The filters apply to that attempt. */
export async function readLatestOfEvents(
  db: Db,
  { tenant_id, environment, limit, ...filter }: ListDeliveries,
): Promise<(Delivery & { verification_day: string })[]> {
  const { verification_id = null, endpoint_id = null, event_type = null } = filter
  const { outcomes = null, before = null, after = null } = filter
  return db.query<Delivery & { verification_day: string }>(sql`
    select verification_day, verification_id, endpoint_id, event_type, url, attempt, attempted_at, outcome, status, duration_ms, error
    from webhook_deliveries newest
    where tenant_id = ${tenant_id} and environment = ${environment}
      and (${verification_id}::text is null or verification_id = ${verification_id})
      and (${outcomes}::text[] is null or outcome = any(${outcomes}))
      and (${endpoint_id}::text is null or endpoint_id = ${endpoint_id})
      and (${event_type}::text is null or event_type = ${event_type})
      and (${before}::timestamptz is null or attempted_at < ${before})
      and (${after}::timestamptz is null or attempted_at >= ${after})
      and not exists (
        select from webhook_deliveries later
        where later.verification_day = newest.verification_day and later.verification_id = newest.verification_id
          and later.endpoint_id = newest.endpoint_id and later.attempt > newest.attempt)
    order by attempted_at desc, attempt desc
    limit ${Math.min(limit, 100)}`)
}

type EventKey = Pick<Delivery, 'verification_id' | 'endpoint_id'> & { verification_day: string }

/** The newest attempts of each of these events, newest first. */
export async function readAttemptsOfEvents(
  db: Db,
  { tenant_id, events, limit }: { tenant_id: string; events: readonly EventKey[]; limit: number },
): Promise<Delivery[]> {
  return db.query<Delivery>(sql`
    select attempt.*
    from unnest(
      ${events.map((each) => each.verification_day)}::date[], ${events.map((each) => each.verification_id)}::text[],
      ${events.map((each) => each.endpoint_id)}::text[]) as given (day, verification_id, endpoint_id)
    cross join lateral (
      select verification_id, endpoint_id, event_type, url, attempt, attempted_at, outcome, status, duration_ms, error
      from webhook_deliveries d
      where d.verification_day = given.day and d.verification_id = given.verification_id
        and d.endpoint_id = given.endpoint_id and d.tenant_id = ${tenant_id}
      order by d.attempt desc
      limit ${limit}) attempt`)
}

/** Those of these events that are still in the queue. */
export async function readQueuedEvents(
  db: Db,
  { tenant_id, events }: { tenant_id: string; events: readonly Omit<EventKey, 'verification_day'>[] },
): Promise<(Omit<EventKey, 'verification_day'> & { due_at: string; sending: boolean })[]> {
  return db.query(sql`
    select verification_id, endpoint_id, due_at, lease is not null as sending
    from webhook_events
    join unnest(
      ${events.map((each) => each.verification_id)}::text[],
      ${events.map((each) => each.endpoint_id)}::text[]) as given (verification_id, endpoint_id)
      using (verification_id, endpoint_id)
    where tenant_id = ${tenant_id}`)
}

/** The beginning of the receiver's response to an attempt, while it is kept. */
export async function findResponse(
  db: Db,
  attempt: { tenant_id: string; verification_id: string; endpoint_id: string; attempt: number },
): Promise<string | undefined> {
  const [row] = await db.query<{ body: string }>(sql`
    select body from webhook_responses
    where verification_id = ${attempt.verification_id} and endpoint_id = ${attempt.endpoint_id} and attempt = ${attempt.attempt}
      and tenant_id = ${attempt.tenant_id} and until_day > service_day()
    limit 1`)
  return row?.body
}
