import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makePresentedCredential } from '../../../test/presented-credential.ts'
import { findMissingCredentials } from '../match/match-credential-sets.ts'
import { matchCredential } from '../match/match-credential.ts'
import type { AnyQuery } from '../query.ts'
import { isCredentialQuery } from './check-credential.ts'
import { checkQuery } from './check-query.ts'

// The queries of OpenID4VP 1.0, annex D and §7.4, by the names of their files in its repository.
const file = new URL('../../../test/openid4vp-queries.json', import.meta.url)
const examples = JSON.parse(readFileSync(file, 'utf8')) as Record<string, AnyQuery>
const get = (name: string): AnyQuery => examples[name] ?? { credentials: [] }

test.each(Object.keys(examples))('[OID4VP-8] the example %s of the specification is valid', (name) => {
  expect(checkQuery(get(name))).toEqual([])
})

test("[OID4VP-17] matches the specification's example of values", () => {
  const query = get('value_matching_simple').credentials[0]
  if (!isCredentialQuery(query)) throw new Error('the example is not valid')
  const claims = {
    family_name: 'Doe',
    given_name: 'Jo',
    address: { street_address: '42 Market Street' },
    postal_code: '90211',
  }
  const credential = makePresentedCredential({
    doctype_or_vct: 'https://credentials.example.com/identity_credential',
    claims,
  })

  expect(matchCredential(query, credential).findings).toEqual([])
  expect(
    matchCredential(query, { ...credential, claims: { ...claims, postal_code: '10115' } }).findings,
  ).toMatchObject([{ check: 'claim_values', detail: expect.stringContaining('postal_code') }])
})

test("[OID4VP-17] matches the specification's example of claim sets", () => {
  const query = get('claims_alternatives').credentials[0]
  if (!isCredentialQuery(query)) throw new Error('the example is not valid')
  const claims = { family_name: 'Doe', postal_code: '90210', date_of_birth: '1984-01-26' }
  const credential = makePresentedCredential({
    doctype_or_vct: 'https://credentials.example.com/identity_credential',
    claims,
  })

  expect(matchCredential(query, credential).paths).toEqual([
    ['family_name'],
    ['postal_code'],
    ['date_of_birth'],
  ])
})

test("[OID4VP-18] matches the specification's example of credential sets", () => {
  const query = get('credentials_alternatives')
  const missing = (...presented: string[]) => findMissingCredentials(query, new Set(presented)).length

  expect(missing('pid')).toBe(0)
  expect(missing('other_pid', 'nice_to_have')).toBe(0)
  expect(missing('pid_reduced_cred_1', 'pid_reduced_cred_2')).toBe(0)
  expect(missing('pid_reduced_cred_1')).toBe(1)
  expect(missing('nice_to_have')).toBe(1)
})
