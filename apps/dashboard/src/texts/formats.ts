import type { PluralForms } from '@vidimus/holder-texts'
import { fillIn } from '@vidimus/holder-texts/fill-in'

type Values = Readonly<Record<string, string | number>>
export type Formats = ReturnType<typeof createFormats>

/** Numbers, dates and plurals as a locale writes them. */
export function createFormats(locale: string) {
  const integer = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })
  const utcDays = {
    full: new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' }),
    short: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
  }
  const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const compact = new Intl.NumberFormat(locale, { notation: 'compact' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const conjunction = new Intl.ListFormat(locale, { type: 'conjunction' })
  const disjunction = new Intl.ListFormat(locale, { type: 'disjunction' })
  const plurals = new Intl.PluralRules(locale)
  const decimal = (value: number, digits: number) =>
    new Intl.NumberFormat(locale, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    }).format(value)
  return {
    locale,
    integer: (value: number) => integer.format(value),
    decimal,
    percent: (share: number) => percent.format(share),
    /** For the axes of charts: 12K */
    compact: (value: number) => compact.format(value),
    day: (date: Date) => day.format(date),
    /** A day of the service's calendar, which is in UTC. */
    utcDay: (date: Date, style: keyof typeof utcDays) => utcDays[style].format(date),
    /** A month of that calendar. */
    month: (date: Date) => month.format(date),
    dateTime: (date: Date) => dateTime.format(date),
    exact: (date: Date) => exact.format(date),
    relative: (value: number, unit: Intl.RelativeTimeFormatUnit) => relative.format(value, unit),
    /** "a, b and c" */
    and: (items: readonly string[]) => conjunction.format(items),
    /** "a, b or c" */
    or: (items: readonly string[]) => disjunction.format(items),
    /** "1.5 s", "48 s" or "2 min 5 s" */
    seconds: (value: number) => {
      if (value < 60) return `${decimal(value, value < 10 ? 1 : 0)} s`
      return `${integer.format(Math.floor(value / 60))} min ${Math.round(value % 60)} s`
    },
    /** A text in the plural form for a count, with the count as `{count}`. */
    count: (forms: PluralForms, count: number, values: Values = {}) =>
      fillIn(forms[plurals.select(count)] ?? forms.other, { count: integer.format(count), ...values }),
  }
}
