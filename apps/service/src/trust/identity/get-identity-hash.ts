import type { TrustContext } from '../context.ts'
import { type ChangeVersion, validatedCache } from '../../engine/db/index.ts'
import { readTenantIdentities, type TenantIdentityRow } from './store.ts'

/**
 * Identifies the verifier for sessions that a tenant creates now: the hash of the tenant's certificate, or of the service's own. If
 * the session carries a `verifier_info`, its hash follows. `getIdentity` opens that identity for as long as the session lives. A
 * request that has seen a version passes it, and needs no statement.
 */
export async function getIdentityHash(
  { db, identity }: Pick<TrustContext, 'db' | 'identity'>,
  tenantId: string,
  version?: ChangeVersion,
): Promise<Buffer> {
  const tenantIdentity = await tenantIdentities.at(db, version, tenantId)
  return tenantIdentity?.certificate ?? (await identity()).hash
}

/** Whether the identity of a session is the tenant's own certificate, and not the service's. */
export async function isOwnCertificate(
  { db }: Pick<TrustContext, 'db'>,
  tenantId: string,
  hash: Buffer,
  version?: ChangeVersion,
): Promise<boolean> {
  const own = (await tenantIdentities.at(db, version, tenantId))?.certificate ?? undefined
  return own?.equals(hash.subarray(0, own.length)) === true
}

type TenantIdentity = Pick<TenantIdentityRow, 'certificate'>

const noIdentity: TenantIdentity = { certificate: null }

/** Most tenants have no identity of their own and no row, so that is kept as well. */
const tenantIdentities = validatedCache<string, TenantIdentity>({
  maxBatch: 100,
  maxWaiting: 5000,
  nameOf: (id) => id,
  async read(db, ids) {
    const { moment, rows } = await readTenantIdentities(db, ids)
    const byTenant = new Map(rows.map((row) => [row.tenant_id, row]))
    return { moment, values: ids.map((id) => byTenant.get(id) ?? noIdentity) }
  },
})
