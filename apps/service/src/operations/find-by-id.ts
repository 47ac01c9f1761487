import type { FoundById } from '@vidimus/contract'
import { findTenantsById } from '../accounts/index.ts'
import type { Context } from '../engine/context.ts'
import { hashForLog } from '../engine/observability/index.ts'
import { findVerificationOwner } from '../verifications/index.ts'

/** What has an id: a tenant, also by its external id, and of a verification whose it is, its state and times. Its result is not even read. */
export async function findById(
  { db, keyring }: Pick<Context, 'db' | 'keyring'>,
  id: string,
): Promise<FoundById> {
  const found = await findVerificationOwner({ db }, id)
  const [tenant] = found === undefined ? [] : await findTenantsById(db, found.tenant_id)
  return {
    tenants: await findTenantsById(db, id),
    ...(found !== undefined &&
      tenant !== undefined && {
        verification: {
          hash: hashForLog(keyring, id),
          tenant: { id: tenant.id, name: tenant.name },
          environment: found.environment,
          status: found.status,
          created_at: found.created_at,
          expires_at: found.expires_at,
          ...(found.responded_at !== null && { responded_at: found.responded_at }),
        },
      }),
  }
}
