/** How many verifications each day of the past has. */
export type FilledDay = { day: string; verifications: number }

export type Days = { kept: number; busy: number }

/** Verifications are kept for 400 days, of which an id can name those from 2026 on. */
export const growthDays: Days = { kept: 300, busy: 20 }
const busyShare = 0.8
const day_ms = 86_400_000

/**
 * Spreads verifications over days, as those of a growing business: four fifths are of the busy days at the end, the rest is spread
 * over the days before. The last day is today. Oldest first.
 */
export function spreadOverDays(verifications: number, today: string, { kept, busy }: Days): FilledDay[] {
  const ofBusyDay = Math.round((verifications * busyShare) / busy)
  const ofQuietDay = Math.round((verifications * (1 - busyShare)) / (kept - busy))
  return Array.from({ length: kept }, (_, index) => {
    const back = kept - 1 - index
    return { day: dayBefore(today, back), verifications: back < busy ? ofBusyDay : ofQuietDay }
  })
}

export function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * day_ms).toISOString().slice(0, 10)
}
