/** Dates and times, in UTC, and numbers as one language writes them. */
export function openFormats(locale: string): {
  day: (timestamp: string) => string
  minute: (timestamp: string) => string
  number: (value: number) => string
} {
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  const minutes = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  const numbers = new Intl.NumberFormat(locale)
  return {
    day: (timestamp) => dates.format(new Date(timestamp)),
    minute: (timestamp) => `${minutes.format(new Date(timestamp))} UTC`,
    number: (value) => numbers.format(value),
  }
}
