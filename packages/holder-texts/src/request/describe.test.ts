import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeRequest } from '../describe-request.ts'
import type { RequestRules } from './read-derivations.ts'

const pidSdJwt = { id: 'pid', format: 'dc+sd-jwt', meta: { vct_values: ['urn:eudi:pid:1'] } }
const mdl = { id: 'mdl', format: 'mso_mdoc', meta: { doctype_value: 'org.iso.18013.5.1.mDL' } }
const mdlAge = { path: ['org.iso.18013.5.1', 'age_over_18'] }
const ageFromBirthDate: RequestRules = {
  claims: {
    age_over_18: [{ credential: 'pid', path: ['age_equal_or_over', '18'] }],
    birth_date: [{ credential: 'pid', path: ['birthdate'] }],
  },
  derive: { age_over_18: { from: 'birth_date', at_least_years: 18 } },
}

test('alternatives of one set are one ask, with each claim and each document once', () => {
  const query = {
    credentials: [
      { ...pidSdJwt, claims: [{ path: ['age_equal_or_over', '18'] }] },
      { ...mdl, claims: [mdlAge] },
      {
        ...pidSdJwt,
        id: 'pid_de',
        meta: { vct_values: ['urn:eudi:pid:de:1'] },
        claims: [{ path: ['age_equal_or_over', '18'] }],
      },
    ],
    credential_sets: [{ options: [['pid'], ['mdl'], ['pid_de']] }],
  }

  expect(describeRequest(query, undefined, 'en')).toEqual([
    {
      documents: ['Digital identity (PID)', 'Mobile driving licence'],
      claims: ['Proof that you are 18 or older'],
      optional: false,
    },
  ])
})

test('without sets, every credential is an ask', () => {
  const query = {
    credentials: [
      { ...pidSdJwt, claims: [{ path: ['family_name'] }] },
      { ...mdl, claims: [mdlAge] },
    ],
  }

  expect(describeRequest(query, undefined, 'en').map(({ claims, optional }) => [claims, optional])).toEqual([
    [['Family name'], false],
    [['Proof that you are 18 or older'], false],
  ])
})

test('an optional set, and a credential beside the sets, are optional', () => {
  const query = {
    credentials: [pidSdJwt, mdl, { ...mdl, id: 'other' }],
    credential_sets: [{ options: [['pid']] }, { options: [['mdl']], required: false }],
  }

  expect(describeRequest(query, undefined, 'en').map(({ optional }) => optional)).toEqual([false, true, true])
})

test('documents that are requested together are named together', () => {
  const query = { credentials: [pidSdJwt, mdl], credential_sets: [{ options: [['pid', 'mdl'], ['mdl']] }] }

  expect(describeRequest(query, undefined, 'en')[0]?.documents).toEqual([
    'Digital identity (PID) and Mobile driving licence',
    'Mobile driving licence',
  ])
})

test('a claim of some documents or claim sets only says so', () => {
  const query = {
    credentials: [
      {
        ...pidSdJwt,
        claims: [
          { id: 'name', path: ['family_name'] },
          { id: 'mail', path: ['email'] },
        ],
        claim_sets: [['name', 'mail'], ['name']],
      },
      {
        ...mdl,
        claims: [{ path: ['org.iso.18013.5.1', 'family_name'] }, { path: ['org.iso.18013.5.1', 'portrait'] }],
      },
    ],
    credential_sets: [{ options: [['pid'], ['mdl']] }],
  }

  expect(describeRequest(query, undefined, 'en')[0]?.claims).toEqual([
    'Family name',
    'Email address (depending on the document)',
    'Portrait photo (depending on the document)',
  ])
})

test('a birth date that may be disclosed to derive an age is named, with what it is for', () => {
  const claims = [
    { id: 'age', path: ['age_equal_or_over', '18'] },
    { id: 'date', path: ['birthdate'] },
  ]
  const query = { credentials: [{ ...pidSdJwt, claims, claim_sets: [['age'], ['date']] }] }

  expect(describeRequest(query, ageFromBirthDate, 'en')[0]?.claims).toEqual([
    'Proof that you are 18 or older',
    'Date of birth, only if the document does not state your age; it is used to calculate your age and is not stored',
  ])
})

test('a birth date that is always disclosed to derive an age does not depend on the document', () => {
  const query = { credentials: [{ ...pidSdJwt, claims: [{ path: ['birthdate'] }] }] }

  expect(describeRequest(query, ageFromBirthDate, 'en')[0]?.claims).toEqual([
    'Date of birth, only to calculate your age; it is not stored',
  ])
})

test('a birth date that one of the documents discloses for good is not called unstored', () => {
  const query = {
    credentials: [
      { ...pidSdJwt, claims: [{ path: ['birthdate'] }] },
      { ...mdl, claims: [{ path: ['org.iso.18013.5.1', 'birth_date'] }] },
    ],
    credential_sets: [{ options: [['pid'], ['mdl']] }],
  }

  expect(describeRequest(query, ageFromBirthDate, 'en')[0]?.claims).toEqual(['Date of birth'])
})

test('the name that a merchant gives to a claim does not change its label', () => {
  const query = { credentials: [{ ...pidSdJwt, claims: [{ path: ['birthdate'] }] }] }
  const rules = { claims: { age_over_18: [{ credential: 'pid', path: ['birthdate'] }] } }

  expect(describeRequest(query, rules, 'en')[0]?.claims).toEqual(['Date of birth'])
})

test('unknown claims and documents are shown with their own names', () => {
  const query = {
    credentials: [
      {
        id: 'club',
        format: 'dc+sd-jwt',
        meta: { vct_values: ['https://club.example/member'] },
        claims: [{ path: ['membership', 'since_year'] }, { path: ['teams', null, 0] }],
      },
      { id: 'any', format: 'mso_mdoc', meta: {}, claims: [{ path: ['com.example.1', 'shoe_size'] }] },
    ],
  }

  expect(describeRequest(query, undefined, 'en')).toEqual([
    {
      documents: ['“https://club.example/member”'],
      claims: ['“membership / since year”', '“teams / 0”'],
      optional: false,
    },
    { documents: ['Any document in your wallet'], claims: ['“com.example.1 / shoe size”'], optional: false },
  ])
})

test('a credential without claims is a proof that the holder has it', () => {
  expect(describeRequest({ credentials: [pidSdJwt] }, undefined, 'en')[0]?.claims).toEqual([
    'Proof that you have this document',
  ])
})

test('names from the request are short and have no control characters or changes of direction', () => {
  const path = ['\u202Eeman\u0000\nline\u200B', 'x'.repeat(5000)]
  const claims = describeRequest({ credentials: [{ ...pidSdJwt, claims: [{ path }] }] }, undefined, 'en')[0]
    ?.claims

  expect(claims?.[0]).toMatch(/^“eman line \/ x+…”$/)
  expect(claims?.[0]).toHaveLength(82)
})

test('many claims are counted instead of dropped', () => {
  const claims = Array.from({ length: 150 }, (_, index) => ({ path: [`claim_${index}`] }))
  const lines = describeRequest({ credentials: [{ ...pidSdJwt, claims }] }, undefined, 'en')[0]?.claims

  expect(lines).toHaveLength(100)
  expect(lines?.at(-1)).toBe('and 51 more')
})

test('a query of any form is described without an exception, within bounds', () => {
  const member = fc.constantFrom(
    'credentials',
    'credential_sets',
    'options',
    'claims',
    'claim_sets',
    'path',
    'meta',
    'id',
    'vct_values',
    'derive',
    'from',
  )
  const { anything } = fc.letrec((tie) => ({
    anything: fc.oneof(
      { maxDepth: 8 },
      fc.constantFrom<unknown>(null, 1, true, 'pid', ''),
      fc.array(tie('anything'), { maxLength: 4 }),
      fc.dictionary(member, tie('anything'), { maxKeys: 5 }),
    ),
  }))
  fc.assert(
    fc.property(anything, anything, (query, rules) => {
      const asks = describeRequest(query, { claims: rules, derive: rules }, 'en')
      expect(asks.every(({ claims, documents }) => claims.length > 0 && documents.length > 0)).toBe(true)
    }),
    { numRuns: 3000 },
  )
})

test('an id that cannot become a string is no exception', () => {
  const credentials = [
    { id: { toString: null, valueOf: null }, meta: { doctype_value: 'org.iso.18013.5.1.mDL' } },
  ]

  expect(describeRequest({ credentials }, undefined, 'en')).toEqual([
    { documents: ['Mobile driving licence'], claims: ['Proof that you have this document'], optional: false },
  ])
})
