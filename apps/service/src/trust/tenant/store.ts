import type { Environment } from '@vidimus/contract'
import type { AnchorRole } from '@vidimus/protocol'
import { type Db, type AsOf, oneOf, queryWithAsOf } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'
import type { AnchorRow, NewAnchor } from '../anchors/store.ts'

/** `all`: the environment's anchors and the tenant's own. `own`: only the tenant's own. */
export type TrustPolicy = 'all' | 'own'

export type TenantTrustRow = { tenant_id: string; policy: TrustPolicy; version: string }

/** A tenant that never changed anything has no row. */
export async function readTenantTrust(
  db: Db,
  tenantIds: string[],
): Promise<{ asOf: AsOf; rows: TenantTrustRow[] }> {
  return queryWithAsOf<TenantTrustRow>(
    db,
    sql`
    select tenant_id, policy, version::text from tenant_trust where tenant_id = ${oneOf(sql`${tenantIds}::uuid[]`)}`,
  )
}

/** Increments the version and sets the policy if one is given. False if there is no such tenant. */
export async function bumpTenantTrustVersion(
  tx: Db,
  { tenant_id, policy = null }: { tenant_id: string; policy?: TrustPolicy | null },
): Promise<boolean> {
  const count = await tx.execute(sql`
    insert into tenant_trust (tenant_id, policy)
    select id, coalesce(${policy}::text, 'all') from tenants where id = ${tenant_id}
    on conflict (tenant_id) do update
    set policy = coalesce(${policy}::text, tenant_trust.policy), version = tenant_trust.version + 1`)
  return count > 0
}

/** More than a tenant has partner issuers. */
export const maxTenantAnchors = 500

export type TenantEnvironment = { tenant_id: string; environment: Environment }
export type TenantAnchorRow = AnchorRow & { environment: Environment }

export async function readTenantAnchors(
  db: Db,
  { tenant_id, environment = null }: { tenant_id: string; environment?: Environment | null },
): Promise<TenantAnchorRow[]> {
  return db.query<TenantAnchorRow>(sql`
    select environment, certificate, document_types, role, entity from tenant_anchors
    where tenant_id = ${tenant_id} and (${environment}::text is null or environment = ${environment})
    order by environment, added_at, fingerprint, role
    limit ${2 * maxTenantAnchors}`)
}

/** Inserts anchors; an existing one of the same role gets the new document types and entity. Returns how many the tenant has afterwards. */
export async function putTenantAnchors(
  tx: Db,
  { tenant_id, environment, created_by }: TenantEnvironment & { created_by: string | null },
  anchors: readonly NewAnchor[],
): Promise<number> {
  for (const { fingerprint, certificate, document_types, role, entity } of anchors) {
    await tx.execute(sql`
      insert into tenant_anchors (tenant_id, environment, fingerprint, certificate, document_types, role, entity, created_by)
      values (${tenant_id}, ${environment}, ${fingerprint}, ${Buffer.from(certificate)}, ${document_types}, ${role}, ${entity},
        ${created_by}::uuid)
      on conflict (tenant_id, environment, fingerprint, role) do update
      set document_types = excluded.document_types, entity = excluded.entity, created_by = excluded.created_by`)
  }
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) as count from tenant_anchors
    where tenant_id = ${tenant_id} and environment = ${environment}`)
  return row?.count ?? 0
}

/** The anchors that a member added, in both environments. */
export async function readAnchorsOfMember(
  db: Db,
  { tenant_id, member_id }: { tenant_id: string; member_id: string },
): Promise<TenantAnchorRow[]> {
  return db.query<TenantAnchorRow>(sql`
    select environment, certificate, document_types, role, entity from tenant_anchors
    where tenant_id = ${tenant_id} and created_by = ${member_id}
    order by environment, added_at, fingerprint, role
    limit ${2 * maxTenantAnchors}`)
}

export async function updateAnchorMaker(
  tx: Db,
  {
    tenant_id,
    environment,
    fingerprint,
    role,
  }: TenantEnvironment & { fingerprint: Buffer; role: AnchorRole },
  created_by: string | null,
): Promise<void> {
  await tx.execute(sql`
    update tenant_anchors set created_by = ${created_by}::uuid
    where tenant_id = ${tenant_id} and environment = ${environment} and fingerprint = ${fingerprint} and role = ${role}`)
}

/** Deletes an anchor in one role or in all. Returns its roles: none if the tenant has no such anchor. */
export async function deleteTenantAnchor(
  tx: Db,
  {
    tenant_id,
    environment,
    fingerprint,
    role = null,
  }: TenantEnvironment & { fingerprint: Buffer; role?: AnchorRole | null | undefined },
): Promise<AnchorRole[]> {
  const rows = await tx.query<{ role: AnchorRole }>(sql`
    delete from tenant_anchors
    where tenant_id = ${tenant_id} and environment = ${environment} and fingerprint = ${fingerprint}
      and (${role}::text is null or role = ${role})
    returning role`)
  return rows.map((row) => row.role)
}

/** Tenants that trust the lists of the environment, ordered by id: all that have not chosen their own anchors alone. */
export async function readTenantsTrustingLists(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select t.id from tenants t
    where t.id > ${after} and not exists (select from tenant_trust p where p.tenant_id = t.id and p.policy = 'own')
    order by t.id
    limit ${limit}`)
  return rows.map(({ id }) => id)
}
