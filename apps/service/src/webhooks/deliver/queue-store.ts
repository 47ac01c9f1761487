import type { Db } from '../../platform/db/open.ts'
import { sql } from '../../platform/db/sql.ts'
import type { ClaimedEvent, WebhookEvent } from '../event.ts'
import type { DeliveryOutcome } from '../log/describe-outcome.ts'
import type { Allocation, Lane } from './allocate-senders.ts'

/** Adds an event to the queue. One that is already queued and not claimed becomes due at once. */
export async function insertEvent(
  tx: Db,
  { session_id, ...event }: WebhookEvent & { host: string },
): Promise<void> {
  await tx.execute(sql`
    insert into webhook_queue (session_id, session_day, tenant_id, environment, url, host, forget_on_delivery, attempt)
    values (${session_id}, ${event.session_day}, ${event.tenant_id}, ${event.environment}, ${event.url}, ${event.host},
      ${event.forget_on_delivery},
      coalesce((
        select max(attempt) from webhook_deliveries
        where session_day = ${event.session_day} and session_id = ${session_id}), 0))
    on conflict (session_id) do update set ready = true, due_at = service_now()
    where webhook_queue.lease is null`)
}

type PollQueue = { after: Lane; maxLanes: number; maxDue: number }

/** Makes events ready that are due or whose sender died, and returns the lanes with ready events that follow the given one. */
export async function pollQueue(db: Db, { after, maxLanes, maxDue }: PollQueue): Promise<Lane[]> {
  return db.query<Lane>(
    sql`select tenant_id, host from poll_webhooks(${after.tenant_id}, ${after.host}, ${maxLanes}, ${maxDue})`,
  )
}

/** A claimed event whose session may be locked, and with what its message is signed. */
export type LockedEvent = ClaimedEvent & {
  /** False while the session is being erased. */
  locked: boolean
  /** The tenant's active secrets, sealed and in base64, newest first, separated by spaces. */
  sealed: string | null
  now: string
}

export type ClaimEvents = { allocations: readonly Allocation[]; lease: string; lease_seconds: number }

/**
 * Claims events and locks their sessions, and first releases the locks of `released`. The locks belong to the connection, so
 * always pass the same one. The claim is not flushed to disk: if PostgreSQL crashes, the events are ready as before.
 */
export async function claimEvents(
  connection: Db,
  { released = [], allocations, lease, lease_seconds }: ClaimEvents & { released?: readonly string[] },
): Promise<LockedEvent[]> {
  const events = await connection.query<Omit<LockedEvent, 'lease'>>(sql`
    select session_id, session_day, tenant_id, environment, url, host, forget_on_delivery, attempt, failures, locked, sealed, now
    from claim_and_lock_webhooks(
      ${released}, ${allocations.map(({ tenant_id }) => tenant_id)}, ${allocations.map(({ host }) => host)},
      ${allocations.map(({ count }) => count)}, ${lease}, ${lease_seconds})`)
  return events.map((event) => ({ ...event, lease }))
}

/** A finished attempt. `wait_seconds` is null after the last one. */
export type Attempt = Pick<ClaimedEvent, 'session_id' | 'lease'> &
  DeliveryOutcome & { wait_seconds: number | null }

/** Logs attempts and schedules the next ones where the lease still matches. Returns the sessions it recorded. */
export async function recordAttempts(
  tx: Db,
  attempts: readonly Attempt[],
): Promise<{ session_id: string }[]> {
  return tx.query<{ session_id: string }>(sql`
    select session_id from record_webhook_attempts(
      ${attempts.map(({ session_id }) => session_id)}, ${attempts.map(({ lease }) => lease)},
      ${attempts.map(({ outcome }) => outcome)}, ${attempts.map(({ status }) => status)},
      ${attempts.map(({ duration_ms }) => duration_ms)}, ${attempts.map(({ error }) => error)},
      ${attempts.map(({ wait_seconds }) => wait_seconds)})`)
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
    from (select ready, lease, due_at from webhook_queue limit ${maxCounted}) as queue`)
  return row ?? { ready: 0, waiting: 0, leased: 0, lag_seconds: 0 }
}

/** Removes an event whose session no longer exists. */
export async function deleteEvent(
  db: Db,
  { session_id, lease }: Pick<ClaimedEvent, 'session_id' | 'lease'>,
): Promise<void> {
  await db.execute(sql`delete from webhook_queue where session_id = ${session_id} and lease = ${lease}`)
}

/** Makes an event that was claimed but not sent ready again, as if it had not been claimed. */
export async function requeueEvent(
  db: Db,
  { session_id, lease }: Pick<ClaimedEvent, 'session_id' | 'lease'>,
): Promise<void> {
  await db.execute(sql`
    update webhook_queue set ready = true, due_at = service_now(), lease = null, attempt = attempt - 1
    where session_id = ${session_id} and lease = ${lease}`)
}

type SessionLockRow = { session_id: string; locked: boolean; now: string }

/**
 * Releases the locks of some sessions, and acquires those of others unless they are being erased. One statement does both,
 * because every message needs both. The locks belong to the connection, so always pass the same one.
 */
export async function changeSessionLocks(
  connection: Db,
  { release, acquire }: { release: readonly string[]; acquire: readonly string[] },
): Promise<SessionLockRow[]> {
  const rows = await connection.query<SessionLockRow & { session_id: string | null }>(sql`
    select released.count, given.session_id, service_now() as now,
      case when given.session_id is not null
        then pg_try_advisory_lock_shared(webhook_hold_key(given.session_id)) end as locked
    from (
      select count(pg_advisory_unlock_shared(webhook_hold_key(session_id))) as count
      from unnest(${release}::text[]) as given (session_id)
    ) as released
    left join unnest(${acquire}::text[]) as given (session_id) on true`)
  return rows.filter(({ session_id }) => session_id !== null)
}

/** The channel on which workers learn that the queue has new events. */
export const queueChannel = 'webhook_queue'

/** Tells the workers that the queue has new events. Nothing depends on it, so it is not written to disk. */
export async function notifyWorkers(db: Db): Promise<void> {
  await db.query(sql`select set_config('synchronous_commit', 'off', true), pg_notify(${queueChannel}, '')`)
}
