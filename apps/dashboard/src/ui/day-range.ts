const datePattern = /^\d{4}-\d{2}-\d{2}$/

/** The beginning of a day of the user's time zone, as the service takes times. */
export function startOfDay(day: string | undefined): string | undefined {
  return toTime(day, 0)
}

/** The beginning of the day after it, so that the whole day is included. */
export function endOfDay(day: string | undefined): string | undefined {
  return toTime(day, 1)
}

function toTime(day: string | undefined, laterDays: number): string | undefined {
  if (day === undefined || !datePattern.test(day)) return undefined
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const time = new Date(year, month - 1, date + laterDays)
  // A year such as 0002, while the user is typing it.
  return Number.isNaN(time.getTime()) || time.getFullYear() < 1970 ? undefined : time.toISOString()
}
