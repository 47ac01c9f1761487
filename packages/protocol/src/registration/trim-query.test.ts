import { describe, expect, test } from 'vitest'
import { checkQuery } from '../dcql/check/check-query.ts'
import type { AnyQuery, ClaimsPath } from '../dcql/query.ts'
import { findUnregistered } from './find-unregistered.ts'
import type { RegisteredCredential } from './registration.ts'
import { trimToRegistration } from './trim-query.ts'

const claim = (id: string) => ({ id, path: [id] })
const pid = {
  id: 'pid',
  format: 'dc+sd-jwt',
  meta: { vct_values: ['urn:eudi:pid:1', 'urn:eudi:pid:nl:1'] },
  claims: [claim('age'), claim('birthdate'), claim('picture')],
  claim_sets: [['age'], ['birthdate'], ['age', 'picture']],
}
const licence = {
  id: 'mdl',
  format: 'mso_mdoc',
  meta: { doctype_value: 'org.iso.18013.5.1.mDL' },
  claims: [{ path: ['org.iso.18013.5.1', 'age_over_18'] }],
}
const either = { credential_sets: [{ options: [['mdl'], ['pid']] }] }
const registerPid = (...claims: ClaimsPath[]): RegisteredCredential => ({
  format: 'dc+sd-jwt',
  types: ['urn:eudi:pid:1'],
  claims,
})
const registeredLicence: RegisteredCredential = { format: 'mso_mdoc', types: ['org.iso.18013.5.1.mDL'] }
const agePid = { ...pid, claims: [claim('age')], claim_sets: [['age']] }

const trim = (query: AnyQuery, ...credentials: RegisteredCredential[]) => {
  const trimmed = trimToRegistration(query, { credentials })
  if (trimmed !== undefined) {
    expect(findUnregistered(trimmed, { credentials })).toEqual([])
    expect(checkQuery(trimmed)).toEqual([])
  }
  return trimmed
}

describe('leaves out', () => {
  test.each<[string, AnyQuery, RegisteredCredential[], AnyQuery]>([
    [
      'a credential of another type and format, with its option',
      { credentials: [licence, pid], ...either },
      [{ format: 'dc+sd-jwt', types: ['urn:eudi:pid:1'] }],
      { credentials: [pid], credential_sets: [{ options: [['pid']] }] },
    ],
    [
      'claim sets with a claim that is not registered, and the claims of no other set',
      { credentials: [pid] },
      [registerPid(['age'])],
      { credentials: [agePid] },
    ],
    [
      'a credential without a claim set that remains',
      { credentials: [licence, pid], ...either },
      [registeredLicence, registerPid(['family_name'])],
      { credentials: [licence], credential_sets: [{ options: [['mdl']] }] },
    ],
    [
      'a credential of which one claim of a flat list is not registered',
      { credentials: [licence, pid], ...either },
      [
        { ...registeredLicence, claims: [['org.iso.18013.5.1', 'portrait']] },
        registerPid(['age'], ['birthdate'], ['picture']),
      ],
      { credentials: [pid], credential_sets: [{ options: [['pid']] }] },
    ],
    [
      'an option with one credential that is not registered, and what no other option needs',
      { credentials: [licence, pid], credential_sets: [{ options: [['mdl', 'pid'], ['pid']] }] },
      [registerPid(['age'])],
      { credentials: [agePid], credential_sets: [{ options: [['pid']] }] },
    ],
    [
      'an optional set',
      {
        credentials: [licence, pid],
        credential_sets: [{ options: [['pid']] }, { options: [['mdl']], required: false }],
      },
      [registerPid(['age'])],
      { credentials: [agePid], credential_sets: [{ options: [['pid']] }] },
    ],
  ])('%s', (_, query, registered, expected) => {
    expect(trim(query, ...registered)).toEqual(expected)
  })

  test('nothing of a query that is covered', () => {
    const query = { credentials: [licence, pid], ...either }
    expect(trim(query, registeredLicence, registerPid(['age'], ['birthdate'], ['picture']))).toEqual(query)
  })
})

describe('cannot be trimmed', () => {
  test.each<[string, AnyQuery, RegisteredCredential[]]>([
    ['without a registered credential', { credentials: [licence, pid], ...either }, []],
    ['if every credential is needed', { credentials: [licence, pid] }, [registeredLicence]],
    [
      'if a required set has no option left',
      { credentials: [licence, pid], credential_sets: [{ options: [['pid']] }, { options: [['mdl']] }] },
      [registeredLicence],
    ],
    [
      'if no optional set is left',
      { credentials: [licence], credential_sets: [{ options: [['mdl']], required: false }] },
      [],
    ],
    [
      'if a claim that every set has is not registered',
      { credentials: [{ ...pid, claim_sets: [['age']] }] },
      [registerPid(['birthdate'])],
    ],
    ['of any type', { credentials: [{ ...licence, meta: {} }] }, [registeredLicence]],
    ['with an invalid credential', { credentials: [licence, { id: 7 }], ...either }, [registeredLicence]],
    [
      'with an invalid set',
      { credentials: [licence], credential_sets: [{ options: 'mdl' }] },
      [registeredLicence],
    ],
  ])('a query %s', (_, query, registered) => {
    expect(trim(query, ...registered)).toBeUndefined()
  })
})
