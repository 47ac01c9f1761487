import type { Environment } from '@vidimus/contract'
import type { AnchorRole } from '@vidimus/protocol'
import { type Db, nilUuid } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

export type AnchorKey = { environment: Environment; fingerprint: Buffer; role: AnchorRole }
export type TenantAnchorKey = AnchorKey & { tenant_id: string }

/** A page of the anchors that operators added, after the given one. */
export async function readAddedAnchorPage(
  db: Db,
  { after, limit }: { after: AnchorKey | undefined; limit: number },
): Promise<AnchorKey[]> {
  return db.query<AnchorKey>(sql`
    select environment, fingerprint, role from trust_anchors
    where list_id is null and (environment, fingerprint, role) >
      (${after?.environment ?? ''}, ${after?.fingerprint ?? Buffer.alloc(0)}, ${after?.role ?? ''})
    order by environment, fingerprint, role
    limit ${limit}`)
}

/** A page of the tenants' own anchors, after the given one. */
export async function readTenantAnchorPage(
  db: Db,
  { after, limit }: { after: TenantAnchorKey | undefined; limit: number },
): Promise<TenantAnchorKey[]> {
  return db.query<TenantAnchorKey>(sql`
    select tenant_id, environment, fingerprint, role from tenant_anchors
    where (tenant_id, environment, fingerprint, role) >
      (${after?.tenant_id ?? nilUuid}::uuid, ${after?.environment ?? ''}, ${after?.fingerprint ?? Buffer.alloc(0)}, ${after?.role ?? ''})
    order by tenant_id, environment, fingerprint, role
    limit ${limit}`)
}
