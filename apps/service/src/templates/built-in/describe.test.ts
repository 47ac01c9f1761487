import { describeRequest, isLanguage, languages, summariseRequest, texts } from '@vidimus/holder-texts'
import { describeQuery } from '@vidimus/holder-texts/describe'
import { expect, test } from 'vitest'
import { readBoundTemplates } from '../../../test/bound-templates.ts'

const templates = [...readBoundTemplates()].map(([key, template]) => ({ key, template }))
const codes = Object.keys(languages).filter(isLanguage)

test.each(templates)('$key has a label for each document and claim, in every language', ({ template }) => {
  for (const lang of codes) {
    const { request, ...others } = texts(lang)
    const marked = { ...others, request: { ...request, unknown: 'no label: {name}' } }
    const asks = describeQuery(template.query, template, { texts: marked, lang })

    expect(asks).toHaveLength(1)
    expect(JSON.stringify(asks)).not.toContain('no label')
    expect(JSON.stringify(asks)).not.toMatch(/[{][a-z]+[}]/)
  }
})

test.each([
  {
    key: 'age_over_18',
    documents: [
      'Proof of age (EU age app)',
      'Mobile driving licence',
      'Digital photo ID',
      'Digital identity (PID)',
    ],
    claims: [
      'Proof that you are 18 or older',
      'Date of birth, only if the document does not state your age; it is used to calculate your age and is not stored',
    ],
  },
  {
    key: 'age_over_21_strict',
    documents: [
      'Proof of age (EU age app)',
      'Mobile driving licence',
      'Digital photo ID',
      'Digital identity (PID)',
    ],
    claims: ['Proof that you are 21 or older'],
  },
  {
    key: 'identity_basic',
    documents: ['Digital identity (PID)', 'Mobile driving licence', 'Digital photo ID'],
    claims: ['Given name', 'Family name', 'Date of birth'],
  },
  {
    key: 'preview.student',
    documents: ['Student ID'],
    claims: ['University', 'Role at the university'],
  },
])('what $key requests, in words', ({ key, documents, claims }) => {
  const template = readBoundTemplates().get(key)

  expect(describeRequest(template?.query, template, 'en')).toEqual([{ documents, claims, optional: false }])
})

test.each([
  ['age_over_18', 'Confirm that you are 18 or older', 'Proof that you are 18 or older'],
  ['age_over_21_strict', 'Confirm that you are 21 or older', 'Proof that you are 21 or older'],
  ['identity_basic', 'Confirm who you are', 'Given name, family name, and date of birth'],
  ['pid_full', 'Confirm who you are', 'Family name, given name, date of birth and 19 more'],
  ['address', 'Confirm your address', 'Street and house number, postcode, town or city and 2 more'],
  ['driving_licence', 'Show your driving licence', 'Family name, given name, date of birth and 7 more'],
  ['preview.student', 'Share details from your wallet', 'University and role at the university'],
])('what %s is about, in two lines', (key, headline, summary) => {
  const template = readBoundTemplates().get(key)

  expect(summariseRequest(template?.query, template, 'en')).toEqual({ headline, summary })
})

test('a summary keeps the capitals of German, and of names that are all capitals', () => {
  const template = readBoundTemplates().get('preview.iban')
  const identity = readBoundTemplates().get('identity_basic')

  expect(summariseRequest(identity?.query, identity, 'de').summary).toBe(
    'Vorname, Familienname und Geburtsdatum',
  )
  expect(summariseRequest(template?.query, template, 'en').summary).toContain('(IBAN)')
})
