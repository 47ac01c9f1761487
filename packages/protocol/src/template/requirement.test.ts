import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../json.ts'
import { findRequirementViolation, findUnmetRequirement, maxAcceptedValues } from './requirement.ts'
import type { Requirement } from './template.ts'

const born: Requirement = { min: '1950-01-01', max: '2008-12-31' }
const acceptedCountries: Requirement = { in: ['AT', 'DE'] }

const cases: [value: Json | undefined, requirement: Requirement, finding: string | undefined][] = [
  [true, { equals: true }, undefined],
  ['true', { equals: true }, 'claim must be true'],
  [undefined, { equals: 'DE' }, 'claim must be "DE"'],
  [['DE'], { equals: 'DE' }, 'claim must be "DE"'],
  ['', { not_empty: true }, 'claim must not be empty'],
  [0, { not_empty: true }, undefined],

  ['AT', acceptedCountries, undefined],
  [['FR', 'DE'], acceptedCountries, undefined],
  ['FR', acceptedCountries, 'claim must be one of "AT", "DE"'],
  [['FR'], acceptedCountries, 'claim must be one of "AT", "DE"'],
  [[], acceptedCountries, 'claim must be one of "AT", "DE"'],
  [null, acceptedCountries, 'claim must be one of "AT", "DE"'],
  [{ AT: 'AT' }, acceptedCountries, 'claim must be one of "AT", "DE"'],
  [[['AT']], acceptedCountries, 'claim must be one of "AT", "DE"'],
  [undefined, acceptedCountries, 'claim must be one of "AT", "DE", but was not disclosed'],
  ['1', { in: [1] }, 'claim must be 1'],
  [7, { in: [1, 2, 3, 4, 5, 6] }, 'claim must be one of 1, 2, 3, 4, 5 or 1 others'],

  [18, { min: 18 }, undefined],
  [17.99, { min: 18 }, 'claim must be at least 18'],
  [30, { max: 30 }, undefined],
  [31, { min: 18, max: 30 }, 'claim must be from 18 to 30'],
  ['18', { min: 18 }, 'claim must be at least 18, but is not a number'],
  [true, { min: 0 }, 'claim must be at least 0, but is not a number'],
  [null, { max: 0 }, 'claim must be at most 0, but is not a number'],
  [[18], { min: 18 }, 'claim must be at least 18, but is not a number'],
  [undefined, { min: 18 }, 'claim must be at least 18, but was not disclosed'],

  ['1950-01-01', born, undefined],
  ['2008-12-31T23:59:59Z', born, undefined],
  ['2009-01-01', born, 'claim must be from 1950-01-01 to 2008-12-31'],
  ['2008-02-30', born, 'claim must be from 1950-01-01 to 2008-12-31, but is not a full date'],
  ['1980', born, 'claim must be from 1950-01-01 to 2008-12-31, but is not a full date'],
  ['1980-05-17 or later', born, 'claim must be from 1950-01-01 to 2008-12-31, but is not a full date'],
  [19_800_517, born, 'claim must be from 1950-01-01 to 2008-12-31, but is not a full date'],
  [{}, { min: '2026-01-01' }, 'claim must be at least 2026-01-01, but is not a full date'],
]

test.each(cases.map(([value, requirement, finding]) => ({ value, requirement, finding })))(
  '[TPL-5] $value with $requirement: $finding',
  ({ value, requirement, finding }) => {
    expect(findUnmetRequirement('claim', value, requirement)).toBe(finding)
  },
)

test('whatever a wallet discloses, a finding neither throws nor repeats it', () => {
  const requirement = fc.constantFrom<Requirement>(acceptedCountries, born, { min: 3 }, { equals: true })
  const text = fc.string({ minLength: 1 }).map((each) => `disclosed ${each}`)
  const value = fc.oneof(text, fc.array(text), fc.dictionary(text, text), fc.jsonValue())
  fc.assert(
    fc.property(value, requirement, (disclosed, rule) => {
      // Any JSON is a value that a credential can have.
      expect(findUnmetRequirement('claim', disclosed as Json, rule) ?? '').not.toContain('disclosed ')
    }),
  )
})

describe('what is not a requirement says why', () => {
  const wrong: [rule: unknown, reason: string][] = [
    [true, 'must be {'],
    [{}, 'must be {'],
    [{ min: 1, equals: 1 }, 'must be {'],
    [{ equals: null }, 'must be {'],
    [{ in: [] }, 'non-empty'],
    [{ in: [null] }, 'non-empty'],
    [{ in: ['a\0'] }, 'text of at most'],
    [
      { in: Array.from({ length: maxAcceptedValues + 1 }, (_, index) => index) },
      'at most 250 values, got 251',
    ],
    [{ min: '1' }, 'two numbers, or two dates'],
    [{ min: 1, max: '2026-01-01' }, 'two numbers, or two dates'],
    [{ max: '2026-02-30' }, 'two numbers, or two dates'],
    [{ max: '2026-01-01T00:00:00Z' }, 'two numbers, or two dates'],
    [{ max: null }, 'two numbers, or two dates'],
    [{ min: 2, max: 1 }, 'min must not be more than max'],
    [{ min: '2026-01-02', max: '2026-01-01' }, 'min must not be more than max'],
  ]
  test.each(wrong.map(([rule, reason]) => ({ rule, reason })))('$rule: $reason', ({ rule, reason }) => {
    expect(findRequirementViolation(rule)).toContain(reason)
  })
  test.each([[{ min: 1 }], [{ max: '2026-01-01' }], [acceptedCountries], [born], [{ in: [true, 1] }]])(
    '%o is one',
    (rule) => {
      expect(findRequirementViolation(rule)).toBeUndefined()
    },
  )
})
