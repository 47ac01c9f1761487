import type { Environment } from '@vidimus/contract'
import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

type ErasureRow = { sessions: number; results: number; deliveries: number; erased_at: string }
type EraseSession = {
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

export type ErasableSession = { id: string; tenant_id: string; environment: Environment }

type DayPage = { day: string; after: ErasableSession | undefined; limit: number }

/** A page of the verifications of a day, after the given one. */
export async function readSessionPage(db: Db, { day, after, limit }: DayPage): Promise<ErasableSession[]> {
  return db.query<ErasableSession>(sql`
    select id, tenant_id, environment from verification_sessions
    where day = ${day} and id > ${after?.id ?? ''}
    order by id
    limit ${limit}`)
}

/** The same for verifications with a response. */
export async function readAnsweredSessionPage(
  db: Db,
  { day, after, limit }: DayPage,
): Promise<ErasableSession[]> {
  return db.query<ErasableSession>(sql`
    select id, tenant_id, environment from verification_sessions
    where day = ${day} and id > ${after?.id ?? ''} and purge_day is not null
    order by id
    limit ${limit}`)
}
