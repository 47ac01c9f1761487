/** The shares of the daily quota, in percent, from which on the overview warns and an alert is raised. */
export const quotaStages = [100, 80] as const

/** The highest of these shares that is used up, if any. */
export function quotaStage(used: number, daily_quota: number): (typeof quotaStages)[number] | undefined {
  return quotaStages.find((percent) => used >= (daily_quota * percent) / 100)
}
