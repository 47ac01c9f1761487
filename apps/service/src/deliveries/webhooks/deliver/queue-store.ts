import type { Db } from '../../../engine/db/index.ts'
import { type Sql, sql } from '../../../engine/db/sql.ts'
import type { ClaimedEvent, QueuedMessage, VerificationOutcome } from '../event.ts'
import type { DeliveryOutcome } from '../log/describe-outcome.ts'
import type { Allocation, ReceiverQueue } from './allocate-senders.ts'

type PollQueue = { after: ReceiverQueue; maxQueues: number; maxDue: number }

/** Makes events ready that are due or whose sender died, and returns the receiver queues with ready events that follow the given one. */
export async function pollQueue(db: Db, { after, maxQueues, maxDue }: PollQueue): Promise<ReceiverQueue[]> {
  return db.query<ReceiverQueue>(
    sql`select tenant_id, host from poll_webhook_events(${after.tenant_id}, ${after.host}, ${maxQueues}, ${maxDue})`,
  )
}

/** A claimed event whose verification may be locked, and with what its message is signed. */
export type LockedEvent = ClaimedEvent & {
  /** False while the verification is being erased. */
  locked: boolean
  /** The active secrets of the receiver, sealed and in base64, newest first, separated by spaces. */
  sealed: string | null
  /** Why an endpoint cannot get the event now: it was deleted or disabled, or its URL has another host. Null if it can. */
  endpoint_state: 'deleted' | 'disabled' | 'moved' | null
  now: string
}

export type StartedEvent = LockedEvent | QueuedMessage

export type ClaimEvents = { allocations: readonly Allocation[]; lease: string; lease_seconds: number }

/**
 * Claims events and locks their verifications, and first releases the locks of `released`. The locks belong to the connection, so
 * always pass the same one. The claim is not flushed to disk: if PostgreSQL crashes, the events are ready as before.
 */
export async function claimEvents(
  connection: Db,
  { released = [], allocations, lease, lease_seconds }: ClaimEvents & { released?: readonly string[] },
): Promise<StartedEvent[]> {
  return connection.query<StartedEvent>(sql`
    select verification_id, endpoint_id, verification_day, tenant_id, environment, url, host, forget_on_delivery, attempt, failures, kind,
      payload, locked, sealed, endpoint_state, now, ${lease} as lease
    from claim_webhook_events(
      ${released}, ${allocations.map(({ tenant_id }) => tenant_id)}, ${allocations.map(({ host }) => host)},
      ${allocations.map(({ count }) => count)}, ${lease}, ${lease_seconds})`)
}

/** A finished attempt. `wait_seconds` is null after the last one. */
export type Attempt = Pick<ClaimedEvent, 'verification_id' | 'endpoint_id' | 'lease' | 'url'> &
  DeliveryOutcome & {
    wait_seconds: number | null
    /** The beginning of the response, if it is text. */
    response: string | null
    /** Whether the attempt shows if the receiver works. False if nothing was sent because it is disabled. */
    counts: boolean
  }

/** Failing hosts of `webhook_url`s that are watched, of a tenant. Further ones raise no alert until one of these works again or is forgotten. */
export const maxFailingHosts = 100

type EventKey = Pick<ClaimedEvent, 'verification_id' | 'endpoint_id'>

/** Logs attempts and schedules the next ones where the lease still matches. Returns the events it recorded. */
export async function recordAttempts(tx: Db, attempts: readonly Attempt[]): Promise<EventKey[]> {
  return tx.query<EventKey>(sql`
    select verification_id, endpoint_id from record_webhook_event_attempts(
      ${attempts.map(({ verification_id }) => verification_id)}, ${attempts.map(({ endpoint_id }) => endpoint_id)},
      ${attempts.map(({ lease }) => lease)}, ${attempts.map(({ url }) => url)},
      ${attempts.map(({ outcome }) => outcome)}, ${attempts.map(({ status }) => status)},
      ${attempts.map(({ duration_ms }) => duration_ms)}, ${attempts.map(({ error }) => error)},
      ${attempts.map(({ wait_seconds }) => wait_seconds)}, ${attempts.map(({ response }) => response)},
      ${attempts.map(({ counts }) => counts)}, ${maxFailingHosts})`)
}

/** Makes transactions that finish the last events of a verification wait for each other: each must see what the others deleted. */
export async function lockFinishing(tx: Db, verification_ids: readonly string[]): Promise<void> {
  await tx.query(sql`
    select pg_advisory_xact_lock(hashtextextended('webhook finishing ' || id, 0))
    from (select distinct id from unnest(${verification_ids}::text[]) as given (id) order by id) given`)
}

/** Of these verifications, those with nothing left in the queue that at least one receiver has acknowledged. */
export async function findFinished(
  tx: Db,
  verifications: readonly { verification_id: string; verification_day: string }[],
): Promise<Set<string>> {
  const rows = await tx.query<{ verification_id: string }>(sql`
    select distinct given.verification_id
    from unnest(
      ${verifications.map(({ verification_day }) => verification_day)}::date[], ${verifications.map(({ verification_id }) => verification_id)}::text[]
    ) as given (verification_day, verification_id)
    where not exists (select from webhook_events queue where queue.verification_id = given.verification_id)
      and exists (
        select from webhook_deliveries attempt
        where attempt.verification_day = given.verification_day and attempt.verification_id = given.verification_id and attempt.outcome = 'delivered')`)
  return new Set(rows.map(({ verification_id }) => verification_id))
}

type QueueMetrics = { ready: number; waiting: number; leased: number; lag_seconds: number }

/** Counting stops here, so that measuring a very long queue does not make things worse. */
const maxCounted = 100_000

/** How many events are ready, waiting for their retry, and being sent; and how long the oldest ready one has been ready. */
export async function measureQueue(db: Db): Promise<QueueMetrics> {
  const [row] = await db.query<QueueMetrics>(sql`
    select count(*) filter (where ready) as ready,
      count(*) filter (where not ready and lease is null) as waiting,
      count(*) filter (where lease is not null) as leased,
      coalesce(extract(epoch from service_now() - min(due_at) filter (where ready)), 0)::float8 as lag_seconds
    from (select ready, lease, due_at from webhook_events limit ${maxCounted}) as queue`)
  return row ?? { ready: 0, waiting: 0, leased: 0, lag_seconds: 0 }
}

type LeasedEvent = EventKey & Pick<ClaimedEvent, 'lease'>

/** Removes an event whose verification or endpoint no longer exists. */
export async function deleteEvent(
  db: Db,
  { verification_id, endpoint_id, lease }: LeasedEvent,
): Promise<void> {
  await db.execute(sql`
    delete from webhook_events where verification_id = ${verification_id} and endpoint_id = ${endpoint_id} and lease = ${lease}`)
}

/** Makes an event that was claimed but not sent ready again, as if it had not been claimed. If its receiver moved, it joins the queue of the new host. */
export async function requeueEvent(
  db: Db,
  { verification_id, endpoint_id, lease }: LeasedEvent,
  moved?: Pick<ClaimedEvent, 'url' | 'host'>,
): Promise<void> {
  await db.execute(sql`
    update webhook_events
    set ready = true, due_at = service_now(), lease = null, attempt = attempt - 1,
      url = coalesce(${moved?.url ?? null}, url), host = coalesce(${moved?.host ?? null}, host)
    where verification_id = ${verification_id} and endpoint_id = ${endpoint_id} and lease = ${lease}`)
}

type VerificationLockRow = { verification_id: string; locked: boolean; now: string }

/**
 * Releases the locks of some verifications, and acquires those of others unless they are being erased. One statement does both,
 * because every message needs both. The locks belong to the connection, so always pass the same one.
 */
export async function changeVerificationLocks(
  connection: Db,
  { release, acquire }: { release: readonly string[]; acquire: readonly string[] },
): Promise<VerificationLockRow[]> {
  const rows = await connection.query<VerificationLockRow & { verification_id: string | null }>(sql`
    select released.count, given.verification_id, service_now() as now,
      case when given.verification_id is not null
        then pg_try_advisory_lock_shared(webhook_hold_key(given.verification_id)) end as locked
    from (
      select count(pg_advisory_unlock_shared(webhook_hold_key(verification_id))) as count
      from unnest(${release}::text[]) as given (verification_id)
    ) as released
    left join unnest(${acquire}::text[]) as given (verification_id) on true`)
  return rows.filter(({ verification_id }) => verification_id !== null)
}

/** The channel on which workers learn that the queue has new events. */
export const queueChannel = 'webhook_queue'

/** Tells the workers that the queue has new events. Nothing depends on it, so it is not written to disk. */
export async function notifyWorkers(db: Db): Promise<void> {
  await db.query(sql`select set_config('synchronous_commit', 'off', true), pg_notify(${queueChannel}, '')`)
}

/** Adds an event for a verification's own URL. */
export async function insertEvent(
  tx: Db,
  outcome: VerificationOutcome,
  { url, host }: { url: string; host: string },
): Promise<void> {
  await insertFor(tx, outcome, sql`select '' as id, ${url}::text as url, ${host}::text as host`)
}

/** Adds an event for every enabled endpoint that asks for it, and removes expiries that were queued for others. */
export async function insertEndpointEvents(tx: Db, outcome: VerificationOutcome): Promise<boolean> {
  const { verification_id, tenant_id, environment, event_type } = outcome
  const wanted = sql`
    select id, url, host from webhook_endpoints
    where tenant_id = ${tenant_id} and environment = ${environment} and enabled and ${event_type} = any(events)
    limit 100`
  const inserted = await insertFor(tx, outcome, wanted)
  await tx.execute(sql`
    delete from webhook_events
    where verification_id = ${verification_id} and event_type = 'verification.expired' and ${event_type} <> 'verification.expired'
      and lease is null`)
  return inserted > 0
}

export async function insertEndpointEvent(
  tx: Db,
  outcome: VerificationOutcome,
  endpoint_id: string,
): Promise<boolean> {
  const { tenant_id, environment } = outcome
  const chosen = sql`
    select id, url, host from webhook_endpoints
    where tenant_id = ${tenant_id} and environment = ${environment} and id = ${endpoint_id} and enabled`
  return (await insertFor(tx, outcome, chosen)) > 0
}

/** An event that is queued and not claimed is replaced and becomes due at once. Counts it too. */
async function insertFor(
  tx: Db,
  { verification_id, verification_day, ...outcome }: VerificationOutcome,
  receivers: Sql,
): Promise<number> {
  return tx.execute(sql`
    insert into webhook_events
      (verification_id, endpoint_id, verification_day, tenant_id, environment, url, host, forget_on_delivery, event_type, attempt)
    select ${verification_id}, receiver.id, ${verification_day}::date, ${outcome.tenant_id}::uuid, ${outcome.environment}, receiver.url,
      receiver.host, ${outcome.forget_on_delivery}::boolean, ${outcome.event_type},
      coalesce((
        select max(attempt) from webhook_deliveries
        where verification_day = ${verification_day}::date and verification_id = ${verification_id} and endpoint_id = receiver.id), 0)
    from (${receivers}) receiver
    on conflict (verification_id, endpoint_id) do update
    set ready = webhook_events.lease is null, event_type = excluded.event_type,
      due_at = case when webhook_events.lease is null then service_now() else webhook_events.due_at end`)
}
