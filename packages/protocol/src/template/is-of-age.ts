import type { Json } from '../json.ts'

const maxAge_years = 150

/**
 * True if this many years have passed since a birth date on this day (YYYY-MM-DD). An unknown day or month counts as the last possible one, and
 * 29 February as 1 March, so that nobody is considered older than they are. Undefined if the year is unknown or the value is
 * not a date.
 */
export function isOfAge(birth_date: Json, years: number, today: string): boolean | undefined {
  const parts = typeof birth_date === 'string' ? datePattern.exec(birth_date) : null
  const [, year = '0000', month = '00', day = '00'] = parts ?? []
  const thisYear = Number(today.slice(0, 4))
  if (Number(year) < thisYear - maxAge_years) return undefined

  const born = `${year}-${month === '00' ? '12' : month}-${day === '00' ? '31' : day}`
  const latest = `${thisYear - years}${today.slice(4)}`
  return born <= latest
}

/** OpenID Connect Core §5.1 allows the year alone, and 0000 for a withheld year. */
const datePattern = /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T.*)?)?)?$/
