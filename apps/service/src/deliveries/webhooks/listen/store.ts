import type { Db } from '../../../engine/db/index.ts'
import { sql } from '../../../engine/db/sql.ts'

export type Listener = { tenant_id: string; listener_id: string }

/** Adds a listener, or extends the lease of one that reconnects. False if the tenant already has the maximum. */
export async function upsertListener(
  db: Db,
  { tenant_id, listener_id }: Listener,
  { lease_seconds, max }: { lease_seconds: number; max: number },
): Promise<boolean> {
  await db.execute(sql`
    delete from webhook_listeners where tenant_id = ${tenant_id} and until <= service_now()`)
  const upserted = await db.execute(sql`
    insert into webhook_listeners (tenant_id, id, until)
    select ${tenant_id}, ${listener_id}, service_now() + make_interval(secs => ${lease_seconds})
    where (select count(*) from webhook_listeners where tenant_id = ${tenant_id} and id <> ${listener_id}) < ${max}
    on conflict (tenant_id, id) do update set until = excluded.until`)
  return upserted > 0
}

/** Extends the lease of a listener. False if it was deleted. */
export async function extendListener(
  db: Db,
  { tenant_id, listener_id }: Listener,
  lease_seconds: number,
): Promise<boolean> {
  const extended = await db.execute(sql`
    update webhook_listeners set until = service_now() + make_interval(secs => ${lease_seconds})
    where tenant_id = ${tenant_id} and id = ${listener_id}`)
  return extended > 0
}

export async function deleteListener(db: Db, { tenant_id, listener_id }: Listener): Promise<void> {
  await db.execute(sql`delete from webhook_listeners where tenant_id = ${tenant_id} and id = ${listener_id}`)
}

export type PendingForward = { id: string; verification_day: string; verification_id: string }

/** Adds one row for each of the tenant's listeners. */
export async function insertForwards(
  tx: Db,
  { verification_day, verification_id, tenant_id }: Omit<PendingForward, 'id'> & { tenant_id: string },
): Promise<void> {
  await tx.execute(sql`
    insert into webhook_forwards (verification_day, verification_id, tenant_id, listener_id)
    select ${verification_day}, ${verification_id}, ${tenant_id}, l.id
    from webhook_listeners l
    where l.tenant_id = ${tenant_id} and l.until > service_now()`)
}

/** The events that a listener has not been sent yet, oldest first. */
export async function readPendingForwards(
  db: Db,
  { tenant_id, listener_id }: Listener,
  limit: number,
): Promise<PendingForward[]> {
  return db.query<PendingForward>(sql`
    select id, verification_day, verification_id from webhook_forwards
    where tenant_id = ${tenant_id} and listener_id = ${listener_id} and sent_at is null
    order by offered_at limit ${limit}`)
}

export async function markForwardSent(db: Db, { id, verification_day }: PendingForward): Promise<void> {
  await db.execute(sql`
    update webhook_forwards set sent_at = service_now() where verification_day = ${verification_day} and id = ${id}`)
}

export type ForwardOutcome = {
  id: string
  outcome: 'delivered' | 'failed'
  status: number | null
  duration_ms: number
  error: string | null
}

/** Records the reported outcome. Only recent days are searched, because the table is partitioned by day. */
export async function recordForward(db: Db, tenant_id: string, reported: ForwardOutcome): Promise<boolean> {
  const recorded = await db.execute(sql`
    update webhook_forwards
    set outcome = ${reported.outcome}, status = ${reported.status}, duration_ms = ${reported.duration_ms}, error = ${reported.error}
    where verification_day >= service_day() - 1 and id = ${reported.id} and tenant_id = ${tenant_id} and outcome is null
      and sent_at is not null`)
  return recorded > 0
}

export type SentForward = Omit<ForwardOutcome, 'outcome' | 'duration_ms'> & {
  verification_id: string
  sent_at: string
  outcome: ForwardOutcome['outcome'] | null
  duration_ms: number | null
}

export type ReadForwards = {
  tenant_id: string
  verification_id?: string | null
  /** Only those with one of these outcomes. */
  outcomes?: readonly string[] | null
  before?: string | null
  after?: string | null
  limit: number
}

/** A tenant's forwards, newest first. */
export async function readForwards(
  db: Db,
  { tenant_id, verification_id = null, outcomes = null, before = null, after = null, limit }: ReadForwards,
): Promise<SentForward[]> {
  return db.query<SentForward>(sql`
    select id, verification_id, sent_at, outcome, status, duration_ms, error
    from webhook_forwards
    where tenant_id = ${tenant_id} and sent_at is not null
      and (${verification_id}::text is null or verification_id = ${verification_id})
      and (${outcomes}::text[] is null or outcome = any(${outcomes}))
      and (${before}::timestamptz is null or sent_at < ${before})
      and (${after}::timestamptz is null or sent_at >= ${after})
    order by sent_at desc
    limit ${Math.min(limit, 100)}`)
}
