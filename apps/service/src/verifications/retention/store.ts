import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

export type ErasureRow = { sessions: number; results: number; deliveries: number; erased_at: string }
export type EraseSession = {
  tenant_id: string
  environment: string
  day: string
  id: string
  actor: string
  actor_name: string | null
  /** The session in the request log. */
  hash: Buffer
}

/** An erasure may have to wait for a webhook that is being sent, and a sender has ten seconds in total. */
export const eraseLimits = { lock_ms: 10_500, statement_ms: 11_500 }

/** Deletes a session and everything derived from it. Undefined if the tenant has no session with that id. */
export async function eraseSession(tx: Db, erase: EraseSession): Promise<ErasureRow | undefined> {
  const [row] = await tx.query<ErasureRow>(sql`
    select sessions, results, deliveries, erased_at
    from erase_verification(
      ${erase.tenant_id}, ${erase.environment}, ${erase.day}, ${erase.id}, ${erase.actor}, ${erase.actor_name}, ${erase.hash})`)
  return row
}

/**
 * Deletes the results of these sessions that were to be kept only until delivered, and returns which. A site that asked through OpenID
 * Connect has its time to collect them first.
 */
export async function forgetResults(
  tx: Db,
  sessions: readonly { day: string; id: string }[],
): Promise<{ day: string; id: string }[]> {
  return tx.query<{ day: string; id: string }>(sql`
    delete from verification_results r
    using unnest(${sessions.map(({ day }) => day)}::date[], ${sessions.map(({ id }) => id)}::text[]) as delivered (day, id)
    join verification_sessions s on s.day = delivered.day and s.id = delivered.id
    where r.purge_day = s.purge_day and r.session_id = s.id and r.forget_on_delivery
      and not awaits_openid_client(s.id)
    returning s.day, s.id`)
}
