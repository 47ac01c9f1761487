import type { Usage } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { getDailyQuota } from '../tenants/quota.ts'
import { readNearQuota, readUsage } from './store.ts'

/**
 * How many verifications a tenant has created today and on previous days, and its quota. Erasing one does not lower the count.
 */
export async function getUsage(ctx: Pick<Context, 'db'>, tenantId: string): Promise<Usage> {
  const { today, days } = await readUsage(ctx.db, tenantId)
  const daily_quota = await getDailyQuota(ctx.db, tenantId)
  const verifications_created = days.find(({ day }) => day === today)?.verifications_created ?? 0
  return {
    day: today,
    verifications_created,
    daily_quota,
    remaining: Math.max(daily_quota - verifications_created, 0),
    recent: days,
  }
}

type NearQuota = {
  tenant_id: string
  day: string
  used: number
  daily_quota: number
  percent: (typeof quotaStages)[number]
}

/** The tenants that have used up most of today's quota, from the counters that creations maintain anyway. */
export async function listNearQuota(tx: Db): Promise<NearQuota[]> {
  const rows = await readNearQuota(tx, Math.min(...quotaStages))
  return rows.flatMap(({ tenant_id, day, used, daily_quota }) => {
    const percent = quotaStage(used, daily_quota)
    return percent === undefined ? [] : [{ tenant_id, day, used, daily_quota, percent }]
  })
}

/** The shares of the daily quota, in percent, from which on the overview warns and an alert is raised. */
const quotaStages = [100, 80] as const

/** The highest of these shares that is used up, if any. */
export function quotaStage(used: number, daily_quota: number): (typeof quotaStages)[number] | undefined {
  return quotaStages.find((percent) => used >= (daily_quota * percent) / 100)
}
