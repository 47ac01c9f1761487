import { reconcileAlerts } from '../../../audit/index.ts'
import type { Context } from '../../../engine/context.ts'
import { listNearQuota } from '../../../accounts/index.ts'
import { lockWatch } from './store.ts'

/** How often the usage is compared with the quotas. Creating a verification does nothing for it. */
export const watchQuotaInterval_ms = 60_000

/** Raises an alert at 80 and at 100 % of the daily quota, once a day each, until the day ends or the quota is raised. */
export async function watchQuota({ db, config }: Pick<Context, 'db' | 'config'>): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await lockWatch(tx, 'quota'))) return
    const near = await listNearQuota(tx, { config })
    await reconcileAlerts(tx, {
      kind: 'quota',
      wanted: near.map(({ tenant_id, day, used, daily_quota, percent }) => ({
        tenant_id,
        environment: null,
        kind: 'quota',
        subject: day,
        stage: percent,
        once: true,
        details: { percent, used, daily_quota },
      })),
    })
  })
}
