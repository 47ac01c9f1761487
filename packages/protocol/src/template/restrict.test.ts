import { expect, test } from 'vitest'
import { restrictTemplate } from './restrict.ts'
import type { Template } from './template.ts'

const pid = {
  id: 'pid',
  format: 'dc+sd-jwt',
  meta: { vct_values: ['urn:eudi:pid:1'] },
  claims: [
    { id: 'age', path: ['age'] },
    { id: 'bd', path: ['birthdate'] },
  ],
  claim_sets: [['age'], ['bd']],
}
const onlyAge = { ...pid, claims: [{ id: 'age', path: ['age'] }], claim_sets: [['age']] }
const onlyDate = { ...pid, claims: [{ id: 'bd', path: ['birthdate'] }], claim_sets: [['bd']] }
const template: Template = {
  name: 'Adults',
  description: 'The holder is of age.',
  query: { credentials: [pid] },
  claims: {
    adult: [{ credential: 'pid', path: ['age'] }],
    birth_date: [{ credential: 'pid', path: ['birthdate'] }],
  },
  must: { adult: { equals: true } },
  derive: { adult: { from: 'birth_date', at_least_years: 18 } },
}
const { claims } = template

test('names and derivations for which nothing is requested any more go', () => {
  expect(restrictTemplate(template, { credentials: [onlyAge] })).toEqual({
    ...template,
    query: { credentials: [onlyAge] },
    claims: { adult: claims?.['adult'] },
    derive: {},
  })
})

test('a requirement may be met by what is derived', () => {
  expect(restrictTemplate(template, { credentials: [onlyDate] })).toEqual({
    ...template,
    query: { credentials: [onlyDate] },
    claims: { birth_date: claims?.['birth_date'] },
  })
})

test('a requirement that nothing can meet any more prevents it, with a vocabulary and without', () => {
  const { derive: _, ...stated } = template
  expect(restrictTemplate(stated, { credentials: [onlyDate] })).toBeUndefined()
  const { name, description, query } = template
  const plain = { name, description, query, must: { age: { equals: true } as const } }
  expect(restrictTemplate(plain, { credentials: [onlyDate] })).toBeUndefined()
  expect(restrictTemplate(plain, { credentials: [onlyAge] })).toEqual({
    ...plain,
    query: { credentials: [onlyAge] },
  })
})
