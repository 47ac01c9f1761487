import { describe, expect, test } from 'vitest'
import { bindTemplate, checkTemplate, findMissingInput, isTemplate, sampleTemplate } from './bind-template.ts'
import type { SavedTemplate } from './template.ts'

const body = {
  name: 'Age over {age}',
  description: 'The holder is {age} or older.',
  query: {
    credentials: [
      {
        id: 'pid',
        format: 'dc+sd-jwt',
        meta: {},
        claims: [{ path: ['age_equal_or_over', '{age}'] }, { path: ['birthdate'] }],
      },
    ],
  },
  claims: {
    'age_over_{age}': [{ credential: 'pid', path: ['age_equal_or_over', '{age}'] }],
    birth_date: [{ credential: 'pid', path: ['birthdate'], as: 'date' }],
  },
  must: { 'age_over_{age}': { equals: true } },
  derive: { 'age_over_{age}': { from: 'birth_date', at_least_years: { parameter: 'age' } } },
}
const age = { type: 'integer', min: 10, max: 99, default: 18 }
const country = { type: 'string', enum: ['AT', 'DE', 'FR'] }
const ageByCountry = { by: 'country', values: { AT: 16, DE: 16 }, default: 18 }
const make = (parameters: object): SavedTemplate => {
  const template: unknown = { ...body, parameters }
  if (!isTemplate(template)) throw new Error('not a template')
  return template
}
const bind = (parameters: object, given?: Record<string, unknown>) => {
  const bound = bindTemplate(make(parameters), given)
  return 'template' in bound ? bound.template : `${bound.violation.place}: ${bound.violation.rule}`
}

test('[TPL-7] a parameter is in the place of a text, a name and a number; what is bound has none', () => {
  expect(bind({ age }, { age: 25 })).toEqual({
    name: 'Age over 25',
    description: 'The holder is 25 or older.',
    query: {
      credentials: [
        {
          id: 'pid',
          format: 'dc+sd-jwt',
          meta: {},
          claims: [{ path: ['age_equal_or_over', '25'] }, { path: ['birthdate'] }],
        },
      ],
    },
    claims: {
      age_over_25: [{ credential: 'pid', path: ['age_equal_or_over', '25'] }],
      birth_date: [{ credential: 'pid', path: ['birthdate'], as: 'date' }],
    },
    must: { age_over_25: { equals: true } },
    derive: { age_over_25: { from: 'birth_date', at_least_years: 25 } },
  })
  expect(bind({ age })).toMatchObject({ name: 'Age over 18' })
})

test('[TPL-7] a table gives one parameter by the value of another', () => {
  const name = (given: Record<string, unknown>) => bind({ country, age: ageByCountry }, given)
  expect(name({ country: 'AT' })).toMatchObject({ name: 'Age over 16' })
  expect(name({ country: 'FR' })).toMatchObject({ name: 'Age over 18' })
  expect(name({})).toBe('parameters.country: is missing and has no default')
  expect(name({ country: 'AT', age: 3 })).toBe('parameters: may have country for this template')
})

test.each<[given: Record<string, unknown>, reason: string]>([
  [{ age: 9 }, 'parameters.age: must be an integer from 10 to 99'],
  [{ age: 100 }, 'parameters.age: must be an integer from 10 to 99'],
  [{ age: 18.5 }, 'parameters.age: must be an integer from 10 to 99'],
  [{ age: '18' }, 'parameters.age: must be an integer from 10 to 99'],
  [{ age: null }, 'parameters.age: must be an integer from 10 to 99'],
  [{ years: 18 }, 'parameters: may have age for this template'],
  [
    JSON.parse('{"__proto__": 1, "constructor": 1}') as object as Record<string, unknown>,
    'parameters: may have age for this template',
  ],
])('%j is refused', (given, reason) => {
  expect(bind({ age }, given)).toBe(reason)
})

test('a template without parameters takes none, and is not copied', () => {
  const plain = { ...body, claims: {}, must: {}, derive: {} }
  if (!isTemplate(plain)) throw new Error('not a template')
  expect(bindTemplate(plain)).toEqual({ template: plain })
  expect(bindTemplate(plain, { age: 18 })).toEqual({
    violation: { place: 'parameters', rule: 'must be empty: this template has none' },
  })
})

test('a template whose parameters have defaults needs nothing else', () => {
  expect(findMissingInput(make({ age }))).toBeUndefined()
  expect(findMissingInput(make({ country, age: ageByCountry }))).toBe('parameters.country')
  expect(sampleTemplate(make({ country, age: ageByCountry }))?.name).toBe('Age over 16')
})

describe('a declaration is checked when it is saved', () => {
  const wrong: [place: string, parameters: unknown, rule: string][] = [
    ['parameters', [], 'an object'],
    ['parameters', {}, '1-10 members'],
    ['parameters, name 1', { Age: age }, 'lower case'],
    ['parameters.age', { age: 18 }, 'must be {"type"'],
    ['parameters.age', { age: { type: 'boolean' } }, 'must be {"type"'],
    ['parameters.age', { age: { ...age, step: 2 } }, 'must be {"type"'],
    ['parameters.age', { age: { type: 'integer', min: 1 } }, 'min and max'],
    ['parameters.age', { age: { ...age, min: 100 } }, 'more than max'],
    ['parameters.age', { age: { ...age, default: 9 } }, 'default'],
    ['parameters.age', { age: { ...age, default: '18' } }, 'default'],
    ['parameters.age', { age: { type: 'string', enum: [] } }, 'non-empty array'],
    ['parameters.age', { age: { type: 'string', enum: ['a b'] } }, 'non-empty array'],
    ['parameters.age', { age: { type: 'string', enum: ['16', '16'] } }, 'twice'],
    ['parameters', { age: { ...age, min: -1000 } }, '1000 combinations'],
    ['parameters.country', { age, country }, 'is not used'],
    ['parameters', { years: age }, 'must declare age'],
    ['parameters.age', { age: ageByCountry }, 'by must name'],
    ['parameters.age', { age: { by: 'age', values: {} } }, 'by must name'],
    ['parameters.age', { country, age: { by: 'country', values: { AT: 16 } } }, 'needs a default'],
    ['parameters.age', { country, age: { ...ageByCountry, values: { PL: 18 } } }, 'does not accept'],
    ['parameters.age', { country, age: { ...ageByCountry, default: '18' } }, 'must be integers'],
    // Valid as a declaration, but not what it makes of the template.
    ['derive.age_over_151', { age: { type: 'integer', min: 18, max: 151 } }, 'at_least_years'],
  ]
  test.each(wrong.map(([place, parameters, rule]) => ({ place, parameters, rule })))(
    '$place: $rule',
    ({ place, parameters, rule }) => {
      expect(checkTemplate({ ...body, parameters })).toEqual([{ place, rule: expect.stringContaining(rule) }])
    },
  )
  test('one that is right has no violation', () => {
    expect(checkTemplate({ ...body, parameters: { age } })).toEqual([])
    expect(checkTemplate({ ...body, parameters: { country, age: ageByCountry } })).toEqual([])
  })
})
