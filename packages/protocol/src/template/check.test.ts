import { describe, expect, test } from 'vitest'
import { checkTemplate, isTemplate } from './bind-template.ts'

const template = {
  name: 'Age over 18',
  description: 'The holder is of age.',
  query: {
    credentials: [
      {
        id: 'pid',
        format: 'dc+sd-jwt',
        meta: {},
        claims: [{ path: ['age_equal_or_over', '18'] }, { path: ['birthdate'] }],
      },
    ],
  },
  claims: {
    age_over_18: [{ credential: 'pid', path: ['age_equal_or_over', '18'] }],
    birth_date: [{ credential: 'pid', path: ['birthdate'], as: 'date' }],
  },
  must: { age_over_18: { equals: true } },
  derive: { age_over_18: { from: 'birth_date', at_least_years: 18 } },
}
const { claims: vocabulary } = template

test('a template has a name, a description and a query, and may have a vocabulary, must and derive', () => {
  const { name, description, query } = template
  expect(checkTemplate(template)).toEqual([])
  expect(isTemplate({ name, description, query })).toBe(true)
  expect(isTemplate({ name, description, query, must: { given_name: { not_empty: true } } })).toBe(true)
})

describe('a violation names the place and the rule', () => {
  const wrong: [place: string, members: object, rule: string][] = [
    ['name', { name: '' }, '1-64'],
    ['name', { name: 'a'.repeat(65) }, '1-64'],
    ['name', { name: 'a\ud800' }, '1-64'],
    ['name', { name: 'a\0' }, '1-64'],
    ['description', { description: undefined }, '1-500'],
    ['template', { script: 'x' }, 'unknown members'],
    ['claims', { claims: [], must: {}, derive: {} }, 'must be an object'],
    ['claims, name 3', { claims: { ...vocabulary, Age: vocabulary.birth_date } }, 'lower case'],
    ['claims.age', { claims: { ...vocabulary, age: [] } }, 'non-empty array'],
    [
      'claims.age[0].as',
      { claims: { ...vocabulary, age: [{ ...vocabulary.birth_date[0], as: 'html' }] } },
      'image or date',
    ],
    [
      'claims.age[0]',
      { claims: { ...vocabulary, age: [{ credential: 'mdl', path: ['birthdate'] }] } },
      'requested',
    ],
    [
      'claims.age[0]',
      { claims: { ...vocabulary, age: [{ credential: 'pid', path: ['age'] }] } },
      'requested',
    ],
    ['must', { must: 7 }, 'must be an object'],
    ['must.given_name', { must: { given_name: { not_empty: true } } }, 'does not have'],
    ['must.age_over_18', { must: { age_over_18: true } }, 'not_empty'],
    ['must.age_over_18', { must: { age_over_18: { equals: true, not_empty: true } } }, 'not_empty'],
    ['must.age_over_18', { must: { age_over_18: { equals: null } } }, 'not_empty'],
    [
      'derive.age_over_18',
      { derive: { age_over_18: { from: 'birthday', at_least_years: 18 } } },
      'another name',
    ],
    [
      'derive.birth_date',
      { derive: { birth_date: { from: 'birth_date', at_least_years: 18 } } },
      'another name',
    ],
    [
      'derive.age_over_18',
      { derive: { age_over_18: { from: 'birth_date', at_least_years: 0 } } },
      'at_least_years',
    ],
    ['derive.age_over_18', { derive: { age_over_18: { from: 'birth_date' } } }, 'at_least_years'],
    ['derive, name 1', { derive: { 'Age over': { from: 'birth_date', at_least_years: 18 } } }, 'lower case'],
    ['sources', { sources: [] }, 'non-empty'],
    ['clear_claims', { clear_claims: 'age_over_18' }, 'array of names'],
    ['clear_claims[0]', { clear_claims: ['birth_date'] }, 'must be true or false in every result'],
    ['clear_claims[0]', { clear_claims: ['_sealed'] }, 'name of a claim'],
    ['clear_claims[1]', { clear_claims: ['age_over_18', 'age_over_18'] }, 'twice'],
  ]
  test.each(wrong.map(([place, members, rule]) => ({ place, members, rule })))(
    '$place: $rule',
    ({ place, members, rule }) => {
      expect(checkTemplate({ ...template, ...members })).toEqual([
        { place, rule: expect.stringContaining(rule) },
      ])
    },
  )

  test('of DCQL in the query', () => {
    expect(
      checkTemplate({
        ...template,
        claims: {},
        must: {},
        derive: {},
        query: { credentials: [{ id: 'pid' }] },
      }),
    ).toEqual([
      { place: 'query.credentials[0].format', rule: expect.any(String) },
      { place: 'query.credentials[0].meta', rule: 'is missing (OpenID4VP 1.0 section 6.1)' },
    ])
    expect(checkTemplate(null)).toEqual([{ place: 'template', rule: 'must be an object' }])
    expect(isTemplate({ ...template, query: 'all' })).toBe(false)
  })

  test('of the maximum number of names', () => {
    const many = Object.fromEntries(
      Array.from({ length: 201 }, (_, index) => [`n${index}`, vocabulary.birth_date]),
    )
    expect(checkTemplate({ ...template, claims: { ...vocabulary, ...many } })).toEqual([
      { place: 'claims', rule: 'at most 200 names, got 203' },
    ])
  })

  test('[GEN-11] of the maximum number of places; a saved template stays usable', () => {
    const places = Array.from({ length: 401 }, () => vocabulary.birth_date[0])
    const large = { ...template, claims: { ...vocabulary, birth_date: places } }
    const others = Object.values(vocabulary).flat().length - vocabulary.birth_date.length
    expect(checkTemplate(large)).toEqual([
      { place: 'claims', rule: `at most 400 places over all names, got ${401 + others}` },
    ])
    expect(isTemplate(large)).toBe(true)
  })
})

describe('[TPL-6] the source of a derivation is not returned elsewhere', () => {
  const queryFor = (...paths: (string | number | null)[][]) => ({
    credentials: [{ id: 'pid', format: 'dc+sd-jwt', meta: {}, claims: paths.map((path) => ({ path })) }],
  })
  const templateDeriving = (path: (string | number | null)[], ...others: (string | number | null)[][]) => ({
    ...template,
    query: queryFor(path, ...others),
    claims: { birth_date: [{ credential: 'pid', path }] },
  })
  const rule = 'derives from a claim that is also returned elsewhere'

  test('neither by a path that contains it, nor by one into it', () => {
    expect(checkTemplate(templateDeriving(['birth', 'date'], ['birth', 'place'], ['given_name']))).toEqual([])
    for (const other of [['birth'], ['birth', 'date', 'year']]) {
      expect(checkTemplate(templateDeriving(['birth', 'date'], other))).toEqual([
        { place: 'derive.age_over_18', rule },
      ])
    }
    expect(checkTemplate(templateDeriving(['dates', 0], ['dates', null]))).toEqual([
      { place: 'derive.age_over_18', rule },
    ])
    expect(checkTemplate(templateDeriving(['dates', null], ['dates', 1]))).toEqual([
      { place: 'derive.age_over_18', rule },
    ])
    expect(checkTemplate(templateDeriving(['dates', 0], ['dates', 1]))).toEqual([])
  })

  test('nor by another name', () => {
    const claims = { ...vocabulary, born_on: vocabulary.birth_date }
    expect(checkTemplate({ ...template, claims })).toEqual([{ place: 'derive.age_over_18', rule }])
  })
})

test('refuses a template with __proto__ in its vocabulary', () => {
  const claims = JSON.parse('{"__proto__":[{"credential":"pid","path":["birthdate"]}]}') as object
  expect(isTemplate({ ...template, claims, must: {}, derive: {} })).toBe(false)
})
