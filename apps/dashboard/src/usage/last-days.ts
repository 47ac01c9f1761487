import type { Usage } from '@vidimus/contract'

export type UsedDay = { day: string; created: number }

const shown = 30
const day_ms = 86_400_000

/** The last thirty days, the oldest first. The service names only days with any usage; here the others are zero. */
export function lastDays({ day: today, verifications_created, recent }: Usage): UsedDay[] {
  const known = new Map(recent.map(({ day, verifications_created: created }) => [day, created]))
  known.set(today, verifications_created)
  return Array.from({ length: shown }, (_, index) => {
    const day = new Date(Date.parse(today) - (shown - 1 - index) * day_ms).toISOString().slice(0, 10)
    return { day, created: known.get(day) ?? 0 }
  })
}
