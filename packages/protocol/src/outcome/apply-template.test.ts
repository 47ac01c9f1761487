import { describe, expect, test } from 'vitest'
import { makePresentedCredential } from '../../test/presented-credential.ts'
import type { ClaimsPath } from '../dcql/query.ts'
import type { Json, JsonObject } from '../json.ts'
import type { TemplateRules } from '../template/template.ts'
import { applyTemplate } from './apply-template.ts'
import type { ExaminedCredential } from './examine-credential.ts'

const today = '2026-11-15'
const makeExamined = (query_id: string, claims: JsonObject, ...paths: ClaimsPath[]): ExaminedCredential => ({
  query_id,
  credential: makePresentedCredential({ claims }),
  paths,
})
const apply = (rules: TemplateRules, ...presented: ExaminedCredential[]) =>
  applyTemplate(rules, presented, { today })

describe('[TPL-4] one vocabulary for either credential', () => {
  const rules: TemplateRules = {
    claims: {
      age_over_18: [
        { credential: 'mdl', path: ['org.iso.18013.5.1', 'age_over_18'] },
        { credential: 'pid', path: ['age_equal_or_over', '18'] },
      ],
      nationalities: [{ credential: 'pid', path: ['nationalities', null] }],
    },
  }
  const licence = (age_over_18: boolean) =>
    makeExamined('mdl', { 'org.iso.18013.5.1': { age_over_18 } }, ['org.iso.18013.5.1', 'age_over_18'])
  const pid = makeExamined(
    'pid',
    { age_equal_or_over: { 18: true }, nationalities: ['DE', 'FR'] },
    ['age_equal_or_over', '18'],
    ['nationalities', null],
  )

  test('only names of the template are returned', () => {
    expect(apply(rules, licence(true)).claims).toEqual({ age_over_18: true })
    expect(apply(rules, pid).claims).toEqual({ age_over_18: true, nationalities: ['DE', 'FR'] })
  })

  test('the first place wins, and a later one that differs gets a warning', () => {
    const { claims, examined } = apply(rules, licence(false), pid)
    expect(claims.age_over_18).toBe(false)
    expect(examined.map(({ credential }) => credential.findings.map(({ check }) => check))).toEqual([
      [],
      ['conflicting_claims'],
    ])
    expect(
      apply(rules, licence(true), pid).examined.flatMap(({ credential }) => credential.findings),
    ).toEqual([])
  })

  test('a place refers to one credential of the query, not to others with the same path', () => {
    const other = makeExamined('other_pid', { age_equal_or_over: { 18: true } }, ['age_equal_or_over', '18'])
    expect(apply(rules, other).claims).toEqual({})
  })

  test('claims that were not requested are not read', () => {
    const withExtraClaims = makeExamined('pid', { age_equal_or_over: { 18: true } }, ['given_name'])
    expect(apply(rules, withExtraClaims).claims).toEqual({})
  })

  test('the credential keeps its own names', () => {
    expect(apply(rules, pid).examined[0]?.paths).toEqual(pid.paths)
  })
})

test('a template without a vocabulary keeps the issued names', () => {
  expect(apply({}, makeExamined('pid', { given_name: 'Erika' }, ['given_name'])).claims).toEqual({
    given_name: 'Erika',
  })
})

describe('[TPL-4] converts values to one form', () => {
  const convert = (value: Json, as: 'image' | 'date') => {
    const rules: TemplateRules = { claims: { it: [{ credential: 'pid', path: ['it'], as }] } }
    return apply(rules, makeExamined('pid', { it: value }, ['it'])).claims.it
  }
  const jpeg = Buffer.from('ffd8ffe000104a464946', 'hex')
  const jp2 = Buffer.from('0000000c6a5020200d0a870a', 'hex')

  test("an mdoc's image becomes a data URL, as in an SD-JWT VC", () => {
    expect(convert(jpeg.toString('base64url'), 'image')).toBe(
      `data:image/jpeg;base64,${jpeg.toString('base64')}`,
    )
    expect(convert(jp2.toString('base64url'), 'image')).toBe(
      `data:image/jp2;base64,${jp2.toString('base64')}`,
    )
  })

  test('other values stay unchanged', () => {
    const html = Buffer.from('<script>').toString('base64url')
    for (const other of ['', html, 'data:image/jpeg;base64,AAAA', 7, null])
      expect(convert(other, 'image')).toBe(other)
  })

  test('a date loses the time that some issuers add', () => {
    expect(convert('2030-01-31T00:00:00Z', 'date')).toBe('2030-01-31')
    expect(convert('2030-01-31', 'date')).toBe('2030-01-31')
    expect(convert('soon', 'date')).toBe('soon')
  })
})

describe('[TPL-6] derives claims and drops their sources', () => {
  const rules: TemplateRules = {
    claims: {
      age_over_18: [{ credential: 'pid', path: ['age_equal_or_over', '18'] }],
      birth_date: [{ credential: 'pid', path: ['birthdate'] }],
    },
    derive: { age_over_18: { from: 'birth_date', at_least_years: 18 } },
  }
  const born = (birthdate: Json) => apply(rules, makeExamined('pid', { birthdate }, ['birthdate']))

  test.each<[string, boolean]>([
    ['1984-01-26', true],
    ['2008-11-15', true],
    ['2008-11-16', false],
    ['2020-01-01', false],
    ['2008-10', true],
    ['2008-11', false],
    ['2007', true],
    ['2008', false],
    ['2008-00-00', false],
    ['2007-00-00', true],
    ['2008-11-00', false],
    ['2008-99-99', false],
    ['9999-01-01', false],
    ['2008-11-15T23:00:00Z', true],
  ])('born %s: %s on 15 November 2026', (birthdate, age_over_18) => {
    expect(born(birthdate).claims).toEqual({ age_over_18 })
  })

  test('a person born on 29 February comes of age on 1 March', () => {
    const leap = makeExamined('pid', { birthdate: '2008-02-29' }, ['birthdate'])
    const on = (day: string) => applyTemplate(rules, [leap], { today: day }).claims
    expect(on('2026-02-28')).toEqual({ age_over_18: false })
    expect(on('2026-03-01')).toEqual({ age_over_18: true })
  })

  test.each([
    '',
    '26.01.1984',
    '1984-1-26',
    '84-01-26',
    441_936_000,
    null,
    ['1984-01-26'],
    { date: '1984-01-26' },
  ])('%j is not a date: nothing is derived, and it is still dropped', (birthdate) => {
    expect(born(birthdate).claims).toEqual({})
  })

  test('the date is neither in the claims nor in the credential', () => {
    const { claims, examined } = born('1984-01-26')
    expect(claims).not.toHaveProperty('birth_date')
    expect(examined[0]?.paths).toEqual([])
  })

  test('a claim stated by the issuer is not derived, and the date is still dropped', () => {
    const stated = makeExamined(
      'pid',
      { age_equal_or_over: { 18: false }, birthdate: '1984-01-26' },
      ['age_equal_or_over', '18'],
      ['birthdate'],
    )
    const { claims, examined } = apply(rules, stated)
    expect(claims).toEqual({ age_over_18: false })
    expect(examined[0]?.paths).toEqual([['age_equal_or_over', '18']])
  })
})

describe('a requirement', () => {
  const must = (rules: TemplateRules['must'], claims: JsonObject) =>
    apply(
      { ...(rules && { must: rules }) },
      makeExamined('pid', claims, ...Object.keys(claims).map((name) => [name])),
    ).unmet_requirements

  test('is met', () => {
    expect(
      must({ age: { equals: true }, portrait: { not_empty: true } }, { age: true, portrait: 'data:' }),
    ).toEqual([])
    expect(must({ portrait: { not_empty: true } }, { portrait: false })).toEqual([])
    expect(must(undefined, {})).toEqual([])
  })

  test.each<[JsonObject]>([[{}], [{ age: false }], [{ age: 'true' }], [{ age: 1 }], [{ age: null }]])(
    'is not met by %j, and the message contains no value',
    (claims) => {
      expect(must({ age: { equals: true } }, claims)).toEqual(['age must be true'])
    },
  )

  test.each<[JsonObject]>([
    [{}],
    [{ portrait: '' }],
    [{ portrait: null }],
    [{ portrait: [] }],
    [{ portrait: {} }],
  ])('is not met by an empty value: %j', (claims) => {
    expect(must({ portrait: { not_empty: true } }, claims)).toEqual(['portrait must not be empty'])
  })
})
