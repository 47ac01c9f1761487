import type { Context } from '../../context.ts'
import { coalescePerTarget } from '../../platform/coalesce.ts'
import type { Database } from '../../platform/db/open.ts'
import { readTenantIdentities, type TenantIdentityRow } from './store.ts'

/**
 * Identifies the verifier for sessions that a tenant creates now: the hash of the tenant's certificate, or of the service's own,
 * followed by the hash of its verifier_info if it has one. `getIdentity` opens that identity for as long as the session lives.
 */
export async function getIdentityHash(
  { db, identity }: Pick<Context, 'db' | 'identity'>,
  tenantId: string,
): Promise<Buffer> {
  const tenantIdentity = await findTenantIdentity(db, tenantId)
  const certificate = tenantIdentity?.certificate ?? (await identity()).hash
  const info = tenantIdentity?.verifier_info ?? Buffer.alloc(0)
  return Buffer.concat([certificate, info])
}

const findTenantIdentity = coalescePerTarget<Database, string, TenantIdentityRow | undefined>({
  maxBatch: 100,
  maxWaiting: 5000,
  async run(db, ids) {
    const found = new Map((await readTenantIdentities(db, ids)).map((row) => [row.tenant_id, row]))
    return ids.map((id) => found.get(id))
  },
})
