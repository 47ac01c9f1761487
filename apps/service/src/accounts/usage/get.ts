import type { Usage } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { getDailyQuota } from '../tenants/get-daily-quota.ts'
import { readUsage } from './store.ts'

/**
 * How many verifications a tenant has created today and on previous days, and its quota. Erasing one does not lower the count.
 */
export async function getUsage(ctx: Context, tenantId: string): Promise<Usage> {
  const { today, days } = await readUsage(ctx.db, tenantId)
  const daily_quota = await getDailyQuota(ctx, tenantId)
  const verifications_created = days.find(({ day }) => day === today)?.verifications_created ?? 0
  return {
    day: today,
    verifications_created,
    daily_quota,
    remaining: Math.max(daily_quota - verifications_created, 0),
    recent: days,
  }
}
