import type { Config } from '../../engine/config/index.ts'

/** A tenant's daily quota: its own, or its plan's (QUOTA-4). A plan that is no longer configured is treated as the default plan. */
export function resolveDailyQuota(
  { PLANS }: Pick<Config, 'PLANS'>,
  { plan, daily_quota }: { plan: string; daily_quota: number | null },
): number {
  const found = PLANS.find(({ name }) => name === plan) ?? PLANS[0]
  return daily_quota ?? found?.daily_quota ?? 0
}
