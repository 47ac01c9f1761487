import { boundedMap } from '@vidimus/protocol'

/** More than there are zones in the IANA database. */
const maxZones = 1000

const formats = boundedMap<string, Intl.DateTimeFormat>(maxZones)

/** The calendar day (YYYY-MM-DD) in a time zone at a time in seconds since 1970. */
export function dayInZone(seconds: number, time_zone: string): string {
  const format =
    formats.get(time_zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: time_zone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
  formats.set(time_zone, format)
  const parts = new Map(format.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]))
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
}
