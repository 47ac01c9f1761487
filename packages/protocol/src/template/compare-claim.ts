import type { Violation } from '../dcql/query.ts'
import type { Json } from '../json.ts'
import { readDate } from './requirement.ts'
import type { Comparison, Template } from './template.ts'

/** How a claim is compared with what the merchant expects. */
export const comparisons = ['name', 'date', 'exact'] as const

/** Whether a claim has the expected value. Of a list, such as nationalities, one suffices. */
export function matchesExpected(value: Json, expected: string, matches: Comparison['matches']): boolean {
  const values = Array.isArray(value) ? value : [value]
  const wanted = normalise(expected, matches)
  return wanted !== undefined && values.some((each) => normalise(each, matches) === wanted)
}

/** The form in which values are compared; undefined if a value has none. */
function normalise(value: Json, matches: Comparison['matches']): string | undefined {
  if (matches === 'date') return readDate(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') return undefined
  return matches === 'exact' ? value.normalize('NFC') : normaliseName(value) || undefined
}

/** Letters that Unicode does not decompose into a base letter and marks. */
const baseLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
}

/**
 * Case, diacritics, hyphens, apostrophes and the number of spaces do not count: "O’Brien-Müller" is "o brien muller". Transliterations do:
 * "Mueller" is another name. The order is that of case folding and compatibility decomposition (Unicode TR15, TR21).
 */
function normaliseName(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ßæœøđðłþıς]/g, (letter) => baseLetters[letter] ?? letter)
    .replaceAll(/[\p{Z}\p{P}\p{C}\s]+/gu, ' ')
    .trim()
}

/** The claims that a template compares, by their names in the vocabulary. */
export function listCompared({ derive = {} }: Pick<Template, 'derive'>): Map<string, Comparison['matches']> {
  return new Map(
    Object.values(derive).flatMap((rule) => ('matches' in rule ? [[rule.from, rule.matches] as const] : [])),
  )
}

/** Why the expected values are not those that a template compares. No violation has a value. */
export function checkExpected(
  template: Template,
  expected: Readonly<Record<string, string>>,
): Violation | undefined {
  const compared = listCompared(template)
  if (Object.keys(expected).some((name) => !compared.has(name))) {
    const names = [...compared.keys()].join(', ')
    const rule = names === '' ? 'must be empty: this template compares nothing' : `may have ${names}`
    return { place: 'expected', rule: compared.size === 0 ? rule : `${rule} for this template` }
  }
  for (const [name, matches] of compared) {
    const place = `expected.${name}`
    const value = Object.hasOwn(expected, name) ? expected[name] : undefined
    if (value === undefined) return { place, rule: 'is missing: the template compares it' }
    if (normalise(value, matches) === undefined)
      return {
        place,
        rule: matches === 'date' ? 'must be a date such as 2026-01-31' : 'must have a letter or a digit',
      }
  }
  return undefined
}
