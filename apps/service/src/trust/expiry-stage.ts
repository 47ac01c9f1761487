/** How many days before the end of a certificate or registration the overview warns and alerts are raised. Renewing takes weeks. */
const noticeDays = [30, 7, 1, 0] as const
const day_ms = 86_400_000

export type ExpiryStage = { stage: number; days: (typeof noticeDays)[number] }

/** How close the end is: the latest of these moments that has passed, if any. */
export function expiryStage(expires_at: string, now_ms: number): ExpiryStage | undefined {
  const remaining_ms = Date.parse(expires_at) - now_ms
  const stage = noticeDays.findLastIndex((days) => remaining_ms <= days * day_ms)
  const days = noticeDays[stage]
  return days === undefined ? undefined : { stage, days }
}
