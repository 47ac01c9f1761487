import type { Usage } from '@vidimus/contract'

export type DailyUsage = { day: string; created: number }

const dayCount = 30
const day_ms = 86_400_000

/** The last thirty days, oldest first. The service lists only days with usage; the others are zero. */
export function toDailyUsage({ day: today, verifications_created, recent }: Usage): DailyUsage[] {
  const createdByDay = new Map(recent.map(({ day, verifications_created: created }) => [day, created]))
  createdByDay.set(today, verifications_created)
  return Array.from({ length: dayCount }, (_, index) => {
    const day = new Date(Date.parse(today) - (dayCount - 1 - index) * day_ms).toISOString().slice(0, 10)
    return { day, created: createdByDay.get(day) ?? 0 }
  })
}
