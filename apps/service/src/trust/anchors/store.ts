import type { Environment } from '@vidimus/contract'
import type { Db } from '../../platform/db/open.ts'
import { sql } from '../../platform/db/sql.ts'

export type AnchorRow = { certificate: Buffer; document_types: string[] | null }

export type StoredAnchor = AnchorRow & {
  environment: Environment
  fingerprint: Buffer
  added_at: string
  /** The list it came from; null when an operator added it. */
  list: string | null
  /** Its list is out of date, so that it vouches for nobody. */
  lapsed: boolean
}

/** More than all the lists of the Union will hold. */
const maxAnchors = 50_000

/**
 * The state of an environment's anchors: a number for every change, and how many lists have lapsed since. Within one number
 * lists only lapse, so no two states share a version.
 */
const version = sql`
  (select version from trust_version) || '.' ||
  (select count(*) from trust_lists where environment = e.environment and trusted_until <= service_now())`

export async function readVersions(db: Db): Promise<{ environment: Environment; version: string }[]> {
  return db.query(sql`
    select e.environment, ${version} as version from (values ('test'), ('live')) as e (environment)`)
}

/** The anchors that stand now, and the version they belong to, as one statement saw them. */
export async function readCurrentAnchors(
  db: Db,
  environment: Environment,
): Promise<{ version: string; anchors: AnchorRow[] }> {
  const rows = await db.query<{ version: string } & (AnchorRow | { certificate: null })>(sql`
    select ${version} as version, a.certificate, a.document_types
    from (select ${environment}::text as environment) e
    left join (
      select a.environment, a.certificate, a.document_types
      from trust_anchors a
      left join trust_lists l on l.id = a.list_id
      where a.list_id is null or l.trusted_until > service_now()
      order by a.id
      limit ${maxAnchors}
    ) a on a.environment = e.environment`)
  return {
    version: rows[0]?.version ?? '',
    anchors: rows.filter((row) => row.certificate !== null),
  }
}

export async function readAnchors(db: Db): Promise<StoredAnchor[]> {
  return db.query<StoredAnchor>(sql`
    select a.environment, a.fingerprint, a.certificate, a.document_types, a.added_at, l.url as list,
      coalesce(l.trusted_until <= service_now(), false) as lapsed
    from trust_anchors a
    left join trust_lists l on l.id = a.list_id
    order by a.environment, l.url nulls first, a.id
    limit ${maxAnchors}`)
}

export type NewAnchor = {
  fingerprint: Buffer
  certificate: Uint8Array
  document_types: readonly string[] | null
}

/**
 * Makes these the operator's anchors too, or those of a list instead of what it had. One that is there already gets the
 * document types of the new one. Returns how many changed.
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
    anchors.map(({ fingerprint, certificate, document_types }) => ({
      fingerprint: fingerprint.toString('hex'),
      certificate: Buffer.from(certificate).toString('hex'),
      document_types,
    })),
  )
  return tx.execute(sql`
    insert into trust_anchors (environment, list_id, fingerprint, certificate, document_types)
    select ${environment}, ${list_id}, decode(w.fingerprint, 'hex'), decode(w.certificate, 'hex'), w.document_types
    from jsonb_to_recordset(${wanted}::jsonb) as w (fingerprint text, certificate text, document_types text[])
    on conflict (environment, list_id, fingerprint) do update set document_types = excluded.document_types
    where trust_anchors.document_types is distinct from excluded.document_types`)
}

/** Removes what a list no longer names. Returns how many there were. */
export async function deleteUnlisted(
  tx: Db,
  { list_id, listed }: { list_id: number; listed: Buffer[] },
): Promise<number> {
  return tx.execute(sql`
    delete from trust_anchors where list_id = ${list_id} and fingerprint <> all (${listed}::bytea[])`)
}

/** Removes an anchor that an operator added. False when there is none. */
export async function deleteAnchor(
  tx: Db,
  { environment, fingerprint }: { environment: Environment; fingerprint: Buffer },
): Promise<boolean> {
  const count = await tx.execute(sql`
    delete from trust_anchors
    where environment = ${environment} and fingerprint = ${fingerprint} and list_id is null`)
  return count > 0
}

/** Tells every process that the anchors are others now. Part of the change's own transaction. */
export async function bumpTrustVersion(tx: Db): Promise<void> {
  await tx.execute(sql`update trust_version set version = version + 1`)
}
