import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { resolveDailyQuota } from '../tenants/resolve-quota.ts'
import { quotaStage, quotaStages } from './quota-stage.ts'
import { readNearQuota } from './store.ts'

export type NearQuota = {
  tenant_id: string
  day: string
  used: number
  daily_quota: number
  percent: (typeof quotaStages)[number]
}

/** The tenants that have used up most of today's quota, from the counters that creations maintain anyway. */
export async function listNearQuota(tx: Db, { config }: Pick<Context, 'config'>): Promise<NearQuota[]> {
  const plans = Object.fromEntries(
    config.PLANS.map(({ name }) => [name, resolveDailyQuota(config, { plan: name, daily_quota: null })]),
  )
  const rows = await readNearQuota(tx, {
    plans,
    default_quota: resolveDailyQuota(config, { plan: '', daily_quota: null }),
    percent: Math.min(...quotaStages),
  })
  return rows.flatMap(({ tenant_id, day, used, daily_quota }) => {
    const percent = quotaStage(used, daily_quota)
    return percent === undefined ? [] : [{ tenant_id, day, used, daily_quota, percent }]
  })
}
