import type { Context } from '../../engine/context.ts'
import { resolveDailyQuota } from './resolve-quota.ts'
import { findTenant } from './store.ts'

/** The number of verifications that a tenant may create per day. */
export async function getDailyQuota({ config, db }: Context, tenantId: string): Promise<number> {
  const tenant = await findTenant(db, tenantId)
  if (tenant === undefined) throw new Error('the caller has no tenant')
  return resolveDailyQuota(config, tenant)
}
