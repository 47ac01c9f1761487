import type { Context } from '../context.ts'
import { resolveDailyQuota } from './resolve-quota.ts'
import { findTenant } from './store.ts'

/** How many verifications a tenant may create today. */
export async function getDailyQuota({ config, db }: Context, tenantId: string): Promise<number> {
  const tenant = await findTenant(db, tenantId)
  if (tenant === undefined) throw new Error('a caller belongs to no tenant')
  return resolveDailyQuota(config, tenant)
}
