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

/** The lanes with ready events that follow the given one. */
export async function readLanes(db: Db, after: Lane, limit: number): Promise<Lane[]> {
  return db.query<Lane>(
    sql`select tenant_id, host from webhook_lanes(${after.tenant_id}, ${after.host}, ${limit})`,
  )
}

/** Claims events without waiting for the disk: if PostgreSQL crashes, a lost claim only leaves the events ready. */
export async function claimEvents(
  db: Db,
  {
    allocations,
    lease,
    lease_seconds,
  }: { allocations: readonly Allocation[]; lease: string; lease_seconds: number },
): Promise<ClaimedEvent[]> {
  return db.query<ClaimedEvent>(sql`
    with asynchronous as materialized (select set_config('synchronous_commit', 'off', true))
    select session_id, session_day, tenant_id, environment, url, host, forget_on_delivery, lease, attempt, failures
    from asynchronous cross join claim_webhooks(
      ${allocations.map(({ tenant_id }) => tenant_id)}::uuid[], ${allocations.map(({ host }) => host)}::text[],
      ${allocations.map(({ count }) => count)}::integer[], ${lease}, ${lease_seconds})`)
}

/**
 * Makes due events ready. An expired lease means that a sender died: its attempt is logged as interrupted, because it may or
 * may not have reached the receiver.
 */
export async function markDueEventsReady(db: Db, limit: number): Promise<number> {
  return db.execute(sql`
    with due as (
      select session_id, lease is not null as interrupted
      from webhook_queue
      where not ready and due_at <= service_now()
      order by due_at
      limit ${limit}
      for update skip locked
    ), logged as (
      insert into webhook_deliveries
        (session_day, session_id, attempt, tenant_id, environment, attempted_at, outcome)
      select session_day, session_id, attempt, tenant_id, environment, service_now(), 'interrupted'
      from webhook_queue join due using (session_id)
      where interrupted
    )
    update webhook_queue set ready = true, lease = null
    from due
    where webhook_queue.session_id = due.session_id`)
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
    with finished as (
      select queue.session_day, queue.session_id, queue.attempt, queue.tenant_id, queue.environment,
        given.outcome, given.status, given.duration_ms, given.error, given.wait_seconds
      from unnest(
        ${attempts.map(({ session_id }) => session_id)}::text[], ${attempts.map(({ lease }) => lease)}::uuid[],
        ${attempts.map(({ outcome }) => outcome)}::text[], ${attempts.map(({ status }) => status)}::smallint[],
        ${attempts.map(({ duration_ms }) => duration_ms)}::integer[], ${attempts.map(({ error }) => error)}::text[],
        ${attempts.map(({ wait_seconds }) => wait_seconds)}::float8[]
      ) as given (session_id, lease, outcome, status, duration_ms, error, wait_seconds)
      join webhook_queue queue on queue.session_id = given.session_id and queue.lease = given.lease
      for update of queue
    ), logged as (
      insert into webhook_deliveries
        (session_day, session_id, attempt, tenant_id, environment, attempted_at, outcome, status, duration_ms, error)
      select session_day, session_id, attempt, tenant_id, environment,
        service_now() - duration_ms * interval '1 millisecond', outcome, status, duration_ms, error
      from finished
    ), done as (
      delete from webhook_queue using finished
      where webhook_queue.session_id = finished.session_id and finished.wait_seconds is null
    ), waiting as (
      update webhook_queue
      set lease = null, failures = failures + 1, due_at = service_now() + make_interval(secs => finished.wait_seconds)
      from finished
      where webhook_queue.session_id = finished.session_id and finished.wait_seconds is not null
    )
    select session_id from finished`)
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
