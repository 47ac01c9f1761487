import type { EcosystemName, Environment } from '@vidimus/contract'
import { type Db, type AsOf, oneOf, queryWithAsOf } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

/** `key_uri` names a key in the HSM; every other key is sealed. */
export type CertificateRow = {
  hash: Buffer
  chain: string
  sealed_key: Buffer | null
  key_uri: string | null
}
export type NewCertificate = CertificateRow & { tenant_id: string | null; self_made: boolean }

/** Stores a certificate for as long as verifications may refer to it. Does nothing if it exists already. */
export async function insertCertificate(db: Db, row: NewCertificate): Promise<void> {
  await db.execute(sql`
    insert into access_certificates (hash, tenant_id, chain, sealed_key, key_uri, self_made)
    values (${row.hash}, ${row.tenant_id}, ${row.chain}, ${row.sealed_key}, ${row.key_uri}, ${row.self_made})
    on conflict do nothing`)
}

/**
 * The certificate that this installation generated for itself. With `lock`, other callers with `lock` wait for the end of the
 * transaction.
 */
export async function findSelfMade(db: Db, { lock }: { lock: boolean }): Promise<CertificateRow | undefined> {
  if (lock) await db.execute(sql`lock table access_certificates in share row exclusive mode`)
  const [row] = await db.query<CertificateRow>(sql`
    select hash, chain, sealed_key, key_uri from access_certificates
    where self_made
    order by created_at
    limit 1`)
  return row
}

export async function findCertificate(db: Db, hash: Buffer): Promise<CertificateRow | undefined> {
  const [row] = await db.query<CertificateRow>(sql`
    select hash, chain, sealed_key, key_uri from access_certificates where hash = ${hash}`)
  return row
}

export type TenantIdentityRow = { tenant_id: string; certificate: Buffer | null }

/** A tenant that has never had a certificate of its own has no row. */
export async function readTenantIdentities(
  db: Db,
  tenantIds: string[],
): Promise<{ asOf: AsOf; rows: TenantIdentityRow[] }> {
  return queryWithAsOf<TenantIdentityRow>(
    db,
    sql`
    select tenant_id, certificate from tenant_identities
    where tenant_id = ${oneOf(sql`${tenantIds}::uuid[]`)}`,
  )
}

/** False if there is no such tenant. */
export async function setTenantIdentity(
  tx: Db,
  { tenant_id, certificate, created_by }: TenantIdentityRow & { created_by: string | null },
): Promise<boolean> {
  const count = await tx.execute(sql`
    insert into tenant_identities (tenant_id, certificate, created_by)
    select id, ${certificate}::bytea, ${created_by}::uuid from tenants where id = ${tenant_id}
    on conflict (tenant_id) do update
    set certificate = excluded.certificate, created_by = excluded.created_by, updated_at = service_now()`)
  return count > 0
}

/** The tenant's certificate, if this member set it. */
export async function readIdentityOfMember(
  db: Db,
  { tenant_id, member_id }: { tenant_id: string; member_id: string },
): Promise<{ certificate: Buffer; chain: string } | undefined> {
  const [row] = await db.query<{ certificate: Buffer; chain: string }>(sql`
    select i.certificate, c.chain
    from tenant_identities i
    join access_certificates c on c.hash = i.certificate
    where i.tenant_id = ${tenant_id} and i.created_by = ${member_id}`)
  return row
}

export async function updateIdentityMaker(
  tx: Db,
  { tenant_id, created_by }: { tenant_id: string; created_by: string | null },
): Promise<void> {
  await tx.execute(
    sql`update tenant_identities set created_by = ${created_by}::uuid where tenant_id = ${tenant_id}`,
  )
}

export type EcosystemIdentityRow = {
  /** Null: the operator's, for tenants that have none of their own. */
  tenant_id: string | null
  ecosystem: EcosystemName
  environment: Environment
  certificate: Buffer
  rp_metadata: Buffer | null
}

/** The identities of tenants, and those of the operator. */
export async function readEcosystemIdentities(
  db: Db,
  tenantIds: readonly string[],
): Promise<{ asOf: AsOf; rows: (EcosystemIdentityRow & { chain: string })[] }> {
  return queryWithAsOf<EcosystemIdentityRow & { chain: string }>(
    db,
    sql`
    select i.tenant_id, i.ecosystem, i.environment, i.certificate, i.rp_metadata, c.chain
    from ecosystem_identities i
    join access_certificates c on c.hash = i.certificate
    where i.tenant_id = any (${tenantIds}::uuid[]) or i.tenant_id is null
    order by i.ecosystem, i.environment`,
  )
}

/** False if there is no such tenant. */
export async function putEcosystemIdentity(
  tx: Db,
  row: EcosystemIdentityRow & { created_by: string | null },
): Promise<boolean> {
  const count = await tx.execute(sql`
    insert into ecosystem_identities (tenant_id, ecosystem, environment, certificate, rp_metadata, created_by)
    select ${row.tenant_id}::uuid, ${row.ecosystem}, ${row.environment}, ${row.certificate}, ${row.rp_metadata}, ${row.created_by}::uuid
    where ${row.tenant_id}::uuid is null or exists (select 1 from tenants where id = ${row.tenant_id}::uuid)
    on conflict (tenant_id, ecosystem, environment) do update
    set certificate = excluded.certificate, rp_metadata = excluded.rp_metadata, created_by = excluded.created_by`)
  return count > 0
}

export type EcosystemIdentityKey = Pick<EcosystemIdentityRow, 'tenant_id' | 'ecosystem' | 'environment'>

/** False if there is none. */
export async function deleteEcosystemIdentity(
  tx: Db,
  { tenant_id, ecosystem, environment }: EcosystemIdentityKey,
): Promise<boolean> {
  const count = await tx.execute(sql`
    delete from ecosystem_identities
    where tenant_id is not distinct from ${tenant_id}::uuid and ecosystem = ${ecosystem} and environment = ${environment}`)
  return count > 0
}

/** Those that this member set. */
export async function readEcosystemIdentitiesOfMember(
  db: Db,
  { tenant_id, member_id }: { tenant_id: string; member_id: string },
): Promise<{ ecosystem: EcosystemName; environment: Environment; chain: string }[]> {
  return db.query<{ ecosystem: EcosystemName; environment: Environment; chain: string }>(sql`
    select i.ecosystem, i.environment, c.chain
    from ecosystem_identities i
    join access_certificates c on c.hash = i.certificate
    where i.tenant_id = ${tenant_id} and i.created_by = ${member_id}
    order by i.ecosystem, i.environment`)
}

export async function updateEcosystemIdentityMaker(
  tx: Db,
  { tenant_id, ecosystem, environment }: EcosystemIdentityKey,
  created_by: string | null,
): Promise<void> {
  await tx.execute(sql`
    update ecosystem_identities set created_by = ${created_by}::uuid
    where tenant_id = ${tenant_id}::uuid and ecosystem = ${ecosystem} and environment = ${environment}`)
}

export async function insertVerifierInfo(
  tx: Db,
  { hash, body }: { hash: Buffer; body: string },
): Promise<void> {
  await tx.execute(
    sql`insert into verifier_infos (hash, body) values (${hash}, ${body}) on conflict do nothing`,
  )
}

export async function findVerifierInfo(db: Db, hash: Buffer): Promise<string | undefined> {
  const [row] = await db.query<{ body: string }>(sql`select body from verifier_infos where hash = ${hash}`)
  return row?.body
}

export async function isSelfMade(db: Db, hash: Buffer): Promise<boolean> {
  const rows = await db.query(
    sql`select 1 as made from access_certificates where hash = ${hash} and self_made`,
  )
  return rows.length > 0
}

export type TenantCertificateRow = { tenant_id: string; hash: Buffer; chain: string }

/** The certificates that tenants have set themselves, ordered by tenant. */
export async function readTenantCertificatePage(
  db: Db,
  { after, limit }: { after: Omit<TenantCertificateRow, 'chain'>; limit: number },
): Promise<TenantCertificateRow[]> {
  return db.query<TenantCertificateRow>(sql`
    select i.tenant_id, c.hash, c.chain
    from (
      select tenant_id, certificate from tenant_identities where certificate is not null
      union select tenant_id, certificate from ecosystem_identities where tenant_id is not null
    ) i
    join access_certificates c on c.hash = i.certificate
    where (i.tenant_id, c.hash) > (${after.tenant_id}::uuid, ${after.hash}::bytea)
    order by i.tenant_id, c.hash
    limit ${limit}`)
}
