import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

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
