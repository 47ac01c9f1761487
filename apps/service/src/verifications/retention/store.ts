import type { Environment } from '@vidimus/contract'
import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

type ErasureRow = { verifications: number; results: number; deliveries: number; erased_at: string }
type EraseVerification = {
  tenant_id: string
  environment: string
  day: string
  id: string
  actor: string
  actor_name: string | null
  /** The verification in the request log. */
  hash: Buffer
}

/** An erasure may have to wait for a webhook that is being sent, and a sender has ten seconds in total. */
export const eraseLimits = { lock_ms: 10_500, statement_ms: 11_500 }

/** Deletes a verification and everything derived from it. Undefined if the tenant has no verification with that id. */
export async function eraseStored(tx: Db, erase: EraseVerification): Promise<ErasureRow | undefined> {
  const [row] = await tx.query<ErasureRow>(sql`
    select verifications, results, deliveries, erased_at
    from erase_verification(
      ${erase.tenant_id}, ${erase.environment}, ${erase.day}, ${erase.id}, ${erase.actor}, ${erase.actor_name}, ${erase.hash})`)
  return row
}

/** Ends up to `limit` verifications that wait for a response, and returns how many. None is open longer than an hour. */
export async function endOpen(db: Db, limit: number): Promise<number> {
  const ended = await db.query(sql`
    update verification_sessions set expires_at = service_now()
    where (day, id) in (
      select day, id from verification_sessions
      where seed is not null and expires_at > service_now() and day >= service_day() - 1
      limit ${limit})
    returning id`)
  return ended.length
}

/**
 * Deletes the results of these verifications that were to be kept only until delivered, and returns which. A site that asked through OpenID
 * Connect has its time to collect them first.
 */
export async function forgetResults(
  tx: Db,
  verifications: readonly { day: string; id: string }[],
): Promise<{ day: string; id: string }[]> {
  return tx.query<{ day: string; id: string }>(sql`
    delete from verification_results r
    using unnest(${verifications.map(({ day }) => day)}::date[], ${verifications.map(({ id }) => id)}::text[]) as delivered (day, id)
    join verification_sessions s on s.day = delivered.day and s.id = delivered.id
    where r.purge_day = s.purge_day and r.verification_id = s.id and r.forget_on_delivery
      and not awaits_openid_client(s.id)
    returning s.day, s.id`)
}

export type ErasableVerification = { id: string; tenant_id: string; environment: Environment }

type DayPage = { day: string; after: ErasableVerification | undefined; limit: number }

/** A page of the verifications of a day, after the given one. */
export async function readVerificationPage(
  db: Db,
  { day, after, limit }: DayPage,
): Promise<ErasableVerification[]> {
  return db.query<ErasableVerification>(sql`
    select id, tenant_id, environment from verification_sessions
    where day = ${day} and id > ${after?.id ?? ''}
    order by id
    limit ${limit}`)
}

/** The same for verifications with a response. */
export async function readRespondedVerificationPage(
  db: Db,
  { day, after, limit }: DayPage,
): Promise<ErasableVerification[]> {
  return db.query<ErasableVerification>(sql`
    select id, tenant_id, environment from verification_sessions
    where day = ${day} and id > ${after?.id ?? ''} and purge_day is not null
    order by id
    limit ${limit}`)
}
