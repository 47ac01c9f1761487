import type { Db } from '../../engine/db/index.ts'
import { dayLiteral, sql } from '../../engine/db/sql.ts'

export type CancelVerification = {
  day: string
  id: string
  /** Whose it must be. Absent: whoever knows the id may end it. */
  owner?: { tenant_id: string; environment: string; device_id: string | null }
  by: 'merchant' | 'device' | 'holder'
  actor: string
  actor_name: string | null
}

export type Cancellation = {
  /** `responded`: a wallet was first. `over`: it had ended before. */
  outcome: 'cancelled' | 'responded' | 'over'
  redirect_url: string | null
  /** How many events were queued. */
  queued: number
}

export type OpenVerification = { day: string; id: string }

type OpenPage = {
  tenant_id: string
  first_day: string
  after: OpenVerification | undefined
  limit: number
}

/** Verifications since a day that a wallet can respond to, after the given one. */
export async function readOpen(
  db: Db,
  { tenant_id, first_day, after, limit }: OpenPage,
): Promise<OpenVerification[]> {
  return db.query<OpenVerification>(sql`
    select day, id from verification_sessions
    where tenant_id = ${tenant_id} and seed is not null and expires_at > service_now() and day >= ${dayLiteral(first_day)}
      and (day, id) > (${after?.day ?? '-infinity'}::date, ${after?.id ?? ''})
    order by day, id
    limit ${limit}`)
}

/** Ends those that are still open, in one transaction. */
export async function cancelOpen(
  db: Db,
  {
    tenant_id,
    open,
    operator_name,
  }: { tenant_id: string; open: readonly OpenVerification[]; operator_name: string },
): Promise<{ cancelled: number; queued: number }> {
  const [row] = await db.query<{ cancelled: number; queued: number }>(sql`
    select count(*) filter (where c.outcome = 'cancelled') as cancelled, coalesce(sum(c.queued), 0)::integer as queued
    from (
      select s.day, s.id, s.environment
      from unnest(${open.map(({ day }) => day)}::date[], ${open.map(({ id }) => id)}::text[]) as listed (day, id)
      join verification_sessions s on s.day = listed.day and s.id = listed.id
      where s.tenant_id = ${tenant_id}
    ) o
    cross join lateral cancel_verification(
      o.day, o.id, ${tenant_id}, o.environment, null, 'operator', 'operator', ${operator_name}) c`)
  return row ?? { cancelled: 0, queued: 0 }
}

/** Ends a verification, with its audit entry and its events. Undefined if there is none. */
export async function cancelStored(
  db: Db,
  { day, id, owner, by, actor, actor_name }: CancelVerification,
): Promise<Cancellation | undefined> {
  const [row] = await db.query<Cancellation>(sql`
    select outcome, redirect_url, queued
    from cancel_verification(
      ${day}, ${id}, ${owner?.tenant_id ?? null}, ${owner?.environment ?? null}, ${owner?.device_id ?? null}, ${by}, ${actor}, ${actor_name})`)
  return row
}
