import type { Environment } from '@vidimus/contract'
import type { AnchorRole } from '@vidimus/protocol'
import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

export type AnchorRow = {
  certificate: Buffer
  document_types: string[] | null
  role: AnchorRole
  entity: string | null
  /** The URLs of its list and of the one that points to that; absent or null if no list names it. */
  lists?: string[] | null
}

export type StoredAnchor = AnchorRow & {
  environment: Environment
  fingerprint: Buffer
  added_at: string
  /** The URL of its list; null if an operator added it. */
  list: string | null
  /** Its list has expired, so it is not trusted. */
  expired: boolean
}

/** More than all lists of the EU will contain. */
const maxAnchors = 50_000

/**
 * The version of an environment's anchors: a number that every change increments, and how many lists have expired. Within one
 * number, lists only expire, so no two states share a version.
 */
const version = sql`
  (select version from trust_version) || '.' ||
  (select count(*) from trust_lists where environment = e.environment and trusted_until <= service_now())`

export async function readVersions(db: Db): Promise<{ environment: Environment; version: string }[]> {
  return db.query(sql`
    select e.environment, ${version} as version from (values ('test'), ('live')) as e (environment)`)
}

/** The anchors in effect now and their version, read in one statement. */
export async function readCurrentAnchors(
  db: Db,
  environment: Environment,
): Promise<{ version: string; anchors: AnchorRow[] }> {
  const rows = await db.query<{ version: string } & (AnchorRow | { certificate: null })>(sql`
    select ${version} as version, a.certificate, a.document_types, a.role, a.entity, a.lists
    from (select ${environment}::text as environment) e
    left join (
      select a.environment, a.certificate, a.document_types, a.role, a.entity,
        case when l.id is not null then array_remove(array[l.url, l.source], null) end as lists
      from trust_anchors a
      left join linked_trust_lists l on l.id = a.list_id
      where a.list_id is null or l.trusted_until > service_now()
      order by a.id
      limit ${maxAnchors}
    ) a on a.environment = e.environment`)
  return {
    version: rows[0]?.version ?? '',
    anchors: rows.filter((row) => row.certificate !== null),
  }
}

/** A page of the anchors of an environment, in the order in which they were added. */
export async function readAnchorPage(
  db: Db,
  { environment, after, limit }: { environment: Environment; after: string; limit: number },
): Promise<(StoredAnchor & { id: string })[]> {
  return db.query<StoredAnchor & { id: string }>(sql`
    select a.id::text as id, a.environment, a.fingerprint, a.certificate, a.document_types, a.role, a.entity, a.added_at,
      l.url as list, coalesce(l.trusted_until <= service_now(), false) as expired
    from trust_anchors a
    left join linked_trust_lists l on l.id = a.list_id
    where a.environment = ${environment} and a.id > ${after}::bigint
    order by a.id
    limit ${limit}`)
}

export async function readAnchors(db: Db): Promise<StoredAnchor[]> {
  return db.query<StoredAnchor>(sql`
    select a.environment, a.fingerprint, a.certificate, a.document_types, a.role, a.entity, a.added_at, l.url as list,
      coalesce(l.trusted_until <= service_now(), false) as expired
    from trust_anchors a
    left join linked_trust_lists l on l.id = a.list_id
    order by a.environment, l.url nulls first, a.id
    limit ${maxAnchors}`)
}

export type NewAnchor = {
  fingerprint: Buffer
  certificate: Uint8Array
  document_types: readonly string[] | null
  role: AnchorRole
  /** Unique across sources; null if it belongs to no entity. */
  entity: string | null
}

/**
 * Inserts anchors of the operator or of a list. An existing one of the same role gets the new document types and entity. Returns how many changed.
 */
export async function putAnchors(
  tx: Db,
  {
    environment,
    list_id,
    anchors,
  }: { environment: Environment; list_id: number | null; anchors: NewAnchor[] },
): Promise<number> {
  const wanted = JSON.stringify(
    anchors.map(({ fingerprint, certificate, ...scope }) => ({
      fingerprint: fingerprint.toString('hex'),
      certificate: Buffer.from(certificate).toString('hex'),
      ...scope,
    })),
  )
  return tx.execute(sql`
    insert into trust_anchors (environment, list_id, fingerprint, certificate, document_types, role, entity)
    select ${environment}, ${list_id}, decode(w.fingerprint, 'hex'), decode(w.certificate, 'hex'), w.document_types,
      w.role, w.entity
    from jsonb_to_recordset(${wanted}::jsonb)
      as w (fingerprint text, certificate text, document_types text[], role text, entity text)
    on conflict (environment, list_id, fingerprint, role) do update
    set document_types = excluded.document_types, entity = excluded.entity
    where (trust_anchors.document_types, trust_anchors.entity) is distinct from (excluded.document_types, excluded.entity)`)
}

export type ListedScope = Omit<NewAnchor, 'certificate'>

/** The anchors of a list without their certificates. */
export async function readListedScopes(tx: Db, list_id: number): Promise<ListedScope[]> {
  return tx.query<ListedScope>(sql`
    select fingerprint, document_types, role, entity from trust_anchors where list_id = ${list_id} limit ${maxAnchors}`)
}

/** Deletes anchors that a list no longer contains. */
export async function deleteListed(
  tx: Db,
  { list_id, gone }: { list_id: number; gone: Pick<NewAnchor, 'fingerprint' | 'role'>[] },
): Promise<void> {
  const fingerprints = gone.map(({ fingerprint }) => fingerprint)
  const roles = gone.map(({ role }) => role)
  await tx.execute(sql`
    delete from trust_anchors
    where list_id = ${list_id}
      and (fingerprint, role) in (select * from unnest(${fingerprints}::bytea[], ${roles}::text[]))`)
}

/** Deletes an anchor that an operator added, in one role or in all. Returns its roles: none if there is no such anchor. */
export async function deleteAnchor(
  tx: Db,
  {
    environment,
    fingerprint,
    role = null,
  }: { environment: Environment; fingerprint: Buffer; role?: AnchorRole | null | undefined },
): Promise<AnchorRole[]> {
  const rows = await tx.query<{ role: AnchorRole }>(sql`
    delete from trust_anchors
    where environment = ${environment} and fingerprint = ${fingerprint} and list_id is null
      and (${role}::text is null or role = ${role})
    returning role`)
  return rows.map((row) => row.role)
}

/** Makes every process reload the anchors. Called in the transaction of the change. */
export async function bumpTrustVersion(tx: Db): Promise<void> {
  await tx.execute(sql`update trust_version set version = version + 1`)
}
