import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '../json.ts'
import { checkTemplate } from './bind-template.ts'
import { checkExpected, matchesExpected } from './compare-claim.ts'
import { isYesNo } from './is-yes-no.ts'
import type { Comparison, Template } from './template.ts'

type Case = [claim: Json, expected: string, matches: Comparison['matches'], same: boolean]
const cases: Case[] = [
  ['Müller', 'muller', 'name', true],
  ['MÜLLER', 'Mu\u0308ller', 'name', true],
  ['Müller', 'Mueller', 'name', false],
  ['O’Brien-Łukasz', "o'brien   lukasz", 'name', true],
  ['Straße', 'STRASSE', 'name', true],
  ['Björk Þór', 'bjork thor', 'name', true],
  ['Παπαδόπουλος', 'ΠΑΠΑΔΟΠΟΥΛΟΣ', 'name', true],
  ['İpek', 'ipek', 'name', true],
  ['Anna Maria', 'Anna', 'name', false],
  ['', 'Anna', 'name', false],
  ['1984-01-26', '1984-01-26', 'date', true],
  ['1984-01-26T00:00:00Z', '1984-01-26', 'date', true],
  ['1984-01-27', '1984-01-26', 'date', false],
  ['1984', '1984-01-26', 'date', false],
  [19_840_126, '1984-01-26', 'date', false],
  ['X1', 'X1', 'exact', true],
  ['X1', 'x1', 'exact', false],
  [42, '42', 'exact', true],
  [true, 'true', 'exact', true],
  [['FR', 'DE'], 'DE', 'exact', true],
  [[], 'DE', 'exact', false],
  [null, 'null', 'exact', false],
  [{ name: 'Anna' }, 'Anna', 'name', false],
  [[['Anna']], 'Anna', 'name', false],
]
test.each(cases.map(([claim, expected, matches, same]) => ({ claim, expected, matches, same })))(
  '[TPL-8] $claim and $expected as $matches: $same',
  ({ claim, expected, matches, same }) => {
    expect(matchesExpected(claim, expected, matches)).toBe(same)
  },
)

test('whatever a wallet discloses, a comparison does not throw', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.string(),
      fc.constantFrom('name', 'date', 'exact'),
      (claim, expected, as) => {
        // Any JSON is a value that a credential can have.
        expect(typeof matchesExpected(claim as Json, expected, as)).toBe('boolean')
      },
    ),
  )
})

const template: Template = {
  name: 'Same person',
  description: 'Whether it is the customer.',
  query: {
    credentials: [
      {
        id: 'pid',
        format: 'dc+sd-jwt',
        meta: {},
        claims: [{ path: ['family_name'] }, { path: ['birthdate'] }],
      },
    ],
  },
  claims: {
    family_name: [{ credential: 'pid', path: ['family_name'] }],
    birth_date: [{ credential: 'pid', path: ['birthdate'] }],
  },
  derive: {
    family_name_matches: { from: 'family_name', matches: 'name' },
    birth_date_matches: { from: 'birth_date', matches: 'date' },
  },
  must: { birth_date_matches: { equals: true }, family_name_matches: { equals: true } },
}

test.each<[expected: Record<string, string>, reason: string | undefined]>([
  [{ family_name: 'Muster', birth_date: '1984-01-26' }, undefined],
  [{ family_name: 'Muster' }, 'expected.birth_date: is missing: the template compares it'],
  [
    { family_name: 'Muster', birth_date: '1984-02-30' },
    'expected.birth_date: must be a date such as 2026-01-31',
  ],
  [{ family_name: '--', birth_date: '1984-01-26' }, 'expected.family_name: must have a letter or a digit'],
  [
    { family_name: 'Muster', birth_date: '1984-01-26', email: 'x' },
    'expected: may have family_name, birth_date for this template',
  ],
])('expected %j: %s', (expected, reason) => {
  const violation = checkExpected(template, expected)
  expect(violation && `${violation.place}: ${violation.rule}`).toBe(reason)
})

test('a template compares in one of the ways, and is yes or no if every comparison must succeed', () => {
  expect(checkTemplate(template)).toEqual([])
  expect(isYesNo(template)).toBe(true)
  expect(isYesNo({ ...template, must: { birth_date_matches: { equals: true } } })).toBe(false)
  const derive = (rule: object) => ({ ...template, must: {}, derive: { same: rule } })
  expect(checkTemplate(derive({ from: 'birth_date', matches: 'roughly' }))).toEqual([
    { place: 'derive.same', rule: 'matches must be name, date, exact' },
  ])
  expect(checkTemplate(derive({ from: 'birth_date', matches: 'date', at_least_years: 18 }))).toEqual([
    { place: 'derive.same', rule: 'must have either at_least_years or matches' },
  ])
})
