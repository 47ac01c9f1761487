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

export type SealedTo = {
  tenant_id: string
  environment: Environment
  kid: string
  /** When results were sealed to the key. */
  from: string
  to: string | null
}

/** Verifications that are looked at for a count: many of them may have no result. */
const maxLookedAt = 20_000

/** How many stored results a key opens, of the newest verifications of its time. `more` if not all were looked at. */
export async function countSealedTo(
  db: Db,
  { tenant_id, environment, kid, from, to }: SealedTo,
  max: number,
): Promise<{ count: number; more: boolean }> {
  const recipients = JSON.stringify([{ header: { kid } }])
  const [row] = await db.query<{ count: number; looked_at: number }>(sql`
    with newest as materialized (
      select s.id, s.purge_day, s.status from verification_sessions s
      where s.tenant_id = ${tenant_id} and s.environment = ${environment} and s.day >= ${from}::timestamptz::date - 1
        and s.created_at >= ${from}::timestamptz - interval '2 hours' and s.created_at <= coalesce(${to}::timestamptz, 'infinity')
      order by s.created_at desc
      limit ${maxLookedAt}
    ), opened as (
      select r.verification_id from newest n
      join verification_results r on r.purge_day = n.purge_day and r.verification_id = n.id and r.tenant_id = ${tenant_id}
      where n.status = 'completed' and n.purge_day >= service_day()
        and r.claims -> '_sealed' -> 'recipients' @> ${recipients}::jsonb
      limit ${max + 1}
    )
    select (select count(*) from opened) as count, (select count(*) from newest) as looked_at`)
  const { count = 0, looked_at = 0 } = row ?? {}
  return { count: Math.min(count, max), more: count > max || looked_at === maxLookedAt }
}
