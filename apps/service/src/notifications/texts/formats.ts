/** Dates, in UTC, and numbers as one language writes them. */
export function openFormats(locale: string): {
  day: (timestamp: string) => string
  number: (value: number) => string
} {
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  const numbers = new Intl.NumberFormat(locale)
  return {
    day: (timestamp) => dates.format(new Date(timestamp)),
    number: (value) => numbers.format(value),
  }
}
