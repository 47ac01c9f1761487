import { describe, expect, test } from 'vitest'
import { isYesNo } from './is-yes-no.ts'
import type { Template } from './template.ts'

const age = ['age_equal_or_over', '18']
const pid = (...paths: string[][]) => ({
  credentials: [{ id: 'pid', format: 'dc+sd-jwt', meta: {}, claims: paths.map((path) => ({ path })) }],
})
const at = (...path: string[]) => [{ credential: 'pid', path }]
const adult: Pick<Template, 'query' | 'claims' | 'must' | 'derive'> = {
  query: pid(age),
  claims: { age_over_18: at(...age) },
  must: { age_over_18: { equals: true } },
}

describe('a template tells no more than yes or no', () => {
  test('if every requested claim must be true or false', () => {
    expect(isYesNo(adult)).toBe(true)
    expect(isYesNo({ ...adult, must: { age_over_18: { equals: false } } })).toBe(true)
  })

  test('also if others are requested to derive one from them, since those are dropped', () => {
    const derived = {
      query: pid(age, ['birthdate']),
      claims: { age_over_18: at(...age), birth_date: at('birthdate') },
      must: { age_over_18: { equals: true } },
    }
    expect(isYesNo({ ...derived, derive: { age_over_18: { from: 'birth_date', at_least_years: 18 } } })).toBe(
      true,
    )
    expect(isYesNo(derived)).toBe(false)
  })

  test.each<[string, typeof adult]>([
    ['a claim has no requirement', { ...adult, must: {} }],
    ['it need only be present', { ...adult, must: { age_over_18: { not_empty: true } } }],
    ['it must equal a text', { ...adult, must: { age_over_18: { equals: 'DE' } } }],
    ['the names stay as issued', { query: adult.query }],
    ['the query requests more than the names', { ...adult, query: pid(age, ['family_name']) }],
    [
      'the query requests more of another credential',
      {
        ...adult,
        query: { credentials: [...adult.query.credentials, { ...pid(age).credentials[0], id: 'other' }] },
      },
    ],
    [
      'a credential is requested without claims',
      {
        ...adult,
        query: { credentials: [...adult.query.credentials, { id: 'other', format: 'mso_mdoc', meta: {} }] },
      },
    ],
  ])('but not if %s', (_, template) => {
    expect(isYesNo(template)).toBe(false)
  })
})
