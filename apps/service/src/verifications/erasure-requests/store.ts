import type { Environment } from '@vidimus/contract'
import type { Db } from '../../engine/db/index.ts'
import { cachedDayLiteral, sql } from '../../engine/db/sql.ts'
import type { DisclosedCredential } from './compare-identity.ts'

type RequestErasure = {
  tenant_id: string
  day: string
  id: string
  /** Of the reference that the holder is shown. */
  reference_hash: Buffer
  /** It is done in the same transaction, so that nobody has to be asked. */
  at_once: boolean
}

/** Records a holder's request with what follows from it. False if the tenant has no such verification. */
export async function insertErasureRequest(tx: Db, asked: RequestErasure): Promise<boolean> {
  const [row] = await tx.query<{ exists: boolean }>(sql`
    select request_erasure(
      ${asked.tenant_id}, ${asked.day}, ${asked.id}, ${asked.reference_hash}, ${asked.at_once}) as exists`)
  return row?.exists === true
}

export type ErasureRequestRow = {
  verification_id: string
  requested_at: string
  due_at: string
  overdue: boolean
  refused_at: string | null
}

type ReadRequests = {
  tenant_id: string
  environment: Environment
  refused: boolean
  /** The verification of the last request of the page before. */
  after: string | undefined
  limit: number
}

/** A tenant's requests, what is due first. */
export async function readErasureRequests(db: Db, read: ReadRequests): Promise<ErasureRequestRow[]> {
  return db.query<ErasureRequestRow>(sql`
    select verification_id, requested_at, due_at, refused_at,
      refused_at is null and due_at < service_now() as overdue
    from erasure_requests e
    where e.tenant_id = ${read.tenant_id} and e.environment = ${read.environment}
      and (e.refused_at is not null) = ${read.refused}
      and (${read.after ?? null}::text is null or (e.due_at, e.verification_id) > (
        select last.due_at, last.verification_id from erasure_requests last where last.verification_id = ${read.after ?? null}))
    order by e.due_at, e.verification_id
    limit ${read.limit}`)
}

type RequestKey = { tenant_id: string; environment: Environment; id: string }

/** True if the request was waiting and is refused now; false if it was refused before. Undefined if there is none. */
export async function refuseStored(tx: Db, key: RequestKey): Promise<boolean | undefined> {
  const [row] = await tx.query<{ was_refused: boolean }>(sql`
    update erasure_requests e set refused_at = coalesce(e.refused_at, service_now())
    from (select verification_id, refused_at is not null as was_refused from erasure_requests
      where verification_id = ${key.id} for update) before
    where e.verification_id = before.verification_id and e.tenant_id = ${key.tenant_id} and e.environment = ${key.environment}
    returning before.was_refused`)
  return row === undefined ? undefined : !row.was_refused
}

/** Deletes requests whose verifications were dropped with their day, up to `limit`. Returns how many. */
export async function deleteOldRequests(
  db: Db,
  { last_day, limit }: { last_day: string; limit: number },
): Promise<number> {
  return db.execute(sql`
    delete from erasure_requests
    where verification_id in (
      select verification_id from erasure_requests where verification_day <= ${last_day} order by verification_day limit ${limit})`)
}

/** The completed verifications that one statement reads. */
export const comparedRows = 200

type ReadClaims = { tenant_id: string; environment: Environment; before: string; elements: readonly string[] }
/** `credentials` is null if the result was deleted. */
export type IdentifyingClaimsRow = {
  id: string
  created_at: string
  credentials: DisclosedCredential[] | null
}

/** A tenant's completed verifications of one day, newest first, with nothing of their results but these elements: no portrait. */
export async function readIdentifyingClaims(
  db: Db,
  day: string,
  { tenant_id, environment, before, elements }: ReadClaims,
): Promise<IdentifyingClaimsRow[]> {
  return db.query<IdentifyingClaimsRow>(sql`
    select s.id, s.created_at, (
      select jsonb_agg(jsonb_build_object(
        'format', c -> 'format', 'doctype_or_vct', c -> 'doctype_or_vct', 'claims', (
          select coalesce(jsonb_object_agg(n.key, case when jsonb_typeof(n.value) <> 'object' then n.value else (
            select coalesce(jsonb_object_agg(e.key, e.value), '{}') from jsonb_each(n.value) e where e.key = any(${elements})
          ) end), '{}')
          from jsonb_each(c -> 'claims') n where jsonb_typeof(n.value) = 'object' or n.key = any(${elements}))))
      from jsonb_array_elements(r.credentials) c) as credentials
    from (
      select s.id, s.created_at, s.purge_day from verification_sessions s
      where s.day = ${cachedDayLiteral(day)} and s.tenant_id = ${tenant_id} and s.environment = ${environment}
        and s.created_at < ${before} and s.status = 'completed'
      order by s.created_at desc
      limit ${comparedRows}
    ) s
    left join lateral (
      select r.credentials from verification_results r
      where r.purge_day = s.purge_day and r.verification_id = s.id and r.purge_day > service_day()
      limit 1
    ) r on true
    order by s.created_at desc`)
}
