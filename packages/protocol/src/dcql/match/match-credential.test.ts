import { describe, expect, test } from 'vitest'
import { makePresentedCredential } from '../../../test/presented-credential.ts'
import type { PresentedCredential } from '../../presentation.ts'
import type { CredentialQuery } from '../query.ts'
import { findMissingCredentials } from './match-credential-sets.ts'
import { matchCredential } from './match-credential.ts'

const pid = (members: Partial<CredentialQuery> = {}): CredentialQuery => ({
  id: 'pid',
  format: 'dc+sd-jwt',
  meta: { vct_values: ['urn:eudi:pid:1', 'urn:eudi:pid:de:1'] },
  ...members,
})
const mdl = (members: Partial<CredentialQuery> = {}): CredentialQuery => ({
  id: 'mdl',
  format: 'mso_mdoc',
  meta: { doctype_value: 'org.iso.18013.5.1.mDL' },
  ...members,
})
const licence = makePresentedCredential({
  format: 'mso_mdoc',
  doctype_or_vct: 'org.iso.18013.5.1.mDL',
  claims: { 'org.iso.18013.5.1': { age_over_18: true, given_name: 'Erika' } },
})
const checksOf = (query: CredentialQuery, credential: PresentedCredential) =>
  matchCredential(query, credential).findings.map(({ check, status }) => `${check}: ${status}`)

describe('[OID4VP-16] format and type', () => {
  test('of the query are accepted', () => {
    expect(checksOf(pid(), makePresentedCredential())).toEqual([])
    expect(checksOf(pid(), makePresentedCredential({ doctype_or_vct: 'urn:eudi:pid:de:1' }))).toEqual([])
    expect(checksOf(mdl(), licence)).toEqual([])
  })

  test('any type is accepted if meta is empty', () => {
    expect(checksOf(pid({ meta: {} }), makePresentedCredential({ doctype_or_vct: 'urn:other' }))).toEqual([])
    expect(checksOf(mdl({ meta: {} }), licence)).toEqual([])
  })

  test('the other format is refused', () => {
    expect(checksOf(pid(), licence)).toEqual(['credential_format: fail'])
    expect(checksOf(mdl({ meta: {} }), makePresentedCredential())).toEqual(['credential_format: fail'])
  })

  test('another vct or doctype is refused', () => {
    expect(checksOf(pid(), makePresentedCredential({ doctype_or_vct: 'urn:eudi:pid:2' }))).toEqual([
      'credential_type: fail',
    ])
    expect(checksOf(mdl(), { ...licence, doctype_or_vct: 'org.iso.18013.5.1' })).toEqual([
      'credential_type: fail',
    ])
  })
})

describe('[OID4VP-17] claims', () => {
  const requested = pid({ claims: [{ path: ['given_name'] }, { path: ['address', 'locality'] }] })

  test('all requested claims are present', () => {
    const { findings, paths } = matchCredential(
      requested,
      makePresentedCredential({ claims: { given_name: 'Erika', address: { locality: 'KÖLN' }, sex: 2 } }),
    )
    expect(findings).toEqual([])
    expect(paths).toEqual([['given_name'], ['address', 'locality']])
  })

  test('a missing claim is reported by its path', () => {
    const { findings, paths } = matchCredential(
      requested,
      makePresentedCredential({ claims: { given_name: 'Erika', address: {} } }),
    )
    expect(findings).toEqual([
      { check: 'requested_claims', status: 'fail', detail: '["address","locality"] was not disclosed' },
    ])
    expect(paths).toEqual([])
  })

  test('of an mdoc are found by namespace and element', () => {
    const path = ['org.iso.18013.5.1', 'age_over_18']
    expect(checksOf(mdl({ claims: [{ path }] }), licence)).toEqual([])
    expect(checksOf(mdl({ claims: [{ path: ['other.namespace', 'age_over_18'] }] }), licence)).toEqual([
      'requested_claims: fail',
    ])
  })

  test('none are required or kept if none are requested', () => {
    expect(matchCredential(pid(), makePresentedCredential({ claims: { sex: 2 } }))).toEqual({
      findings: [],
      paths: [],
    })
  })
})

describe('[OID4VP-17] claim sets', () => {
  const claims = [
    { id: 'a18', path: ['age_equal_or_over', '18'] },
    { id: 'bd', path: ['birthdate'] },
    { id: 'gn', path: ['given_name'] },
  ]
  const requested = pid({ claims, claim_sets: [['a18'], ['bd', 'gn']] })

  test('the first complete set is used, and other disclosed claims count as not requested', () => {
    const all = { age_equal_or_over: { 18: true }, birthdate: '1984-01-26', given_name: 'Erika' }
    expect(matchCredential(requested, makePresentedCredential({ claims: all })).paths).toEqual([
      ['age_equal_or_over', '18'],
    ])
  })

  test('a later complete set is accepted', () => {
    const later = { birthdate: '1984-01-26', given_name: 'Erika' }
    expect(matchCredential(requested, makePresentedCredential({ claims: later })).paths).toEqual([
      ['birthdate'],
      ['given_name'],
    ])
  })

  test('an incomplete set is refused, and the finding names what the first set lacks', () => {
    expect(
      matchCredential(requested, makePresentedCredential({ claims: { birthdate: '1984-01-26' } })).findings,
    ).toEqual([
      {
        check: 'requested_claims',
        status: 'fail',
        detail:
          'no claim set was disclosed completely; of the first set, ["age_equal_or_over","18"] was not disclosed',
      },
    ])
  })
})

describe('[OID4VP-17] values are checked independently of the wallet', () => {
  const queryForValues = (...values: (string | number | boolean)[]) =>
    pid({ claims: [{ path: ['a'], values }] })

  test('one of them, of the same type, is accepted', () => {
    expect(checksOf(queryForValues('x', 'y'), makePresentedCredential({ claims: { a: 'y' } }))).toEqual([])
    expect(checksOf(queryForValues(18), makePresentedCredential({ claims: { a: 18 } }))).toEqual([])
    expect(checksOf(queryForValues(true), makePresentedCredential({ claims: { a: true } }))).toEqual([])
  })

  test('another value or another type is refused', () => {
    expect(checksOf(queryForValues('x'), makePresentedCredential({ claims: { a: 'X' } }))).toEqual([
      'claim_values: fail',
    ])
    expect(checksOf(queryForValues('18'), makePresentedCredential({ claims: { a: 18 } }))).toEqual([
      'claim_values: fail',
    ])
    expect(checksOf(queryForValues(true), makePresentedCredential({ claims: { a: 1 } }))).toEqual([
      'claim_values: fail',
    ])
    expect(checksOf(queryForValues(true), makePresentedCredential({ claims: { a: 'true' } }))).toEqual([
      'claim_values: fail',
    ])
    expect(checksOf(queryForValues('x'), makePresentedCredential({ claims: { a: ['x'] } }))).toEqual([
      'claim_values: fail',
    ])
  })

  test('one of several elements must match', () => {
    const query = pid({ claims: [{ path: ['nationalities', null], values: ['DE'] }] })
    expect(checksOf(query, makePresentedCredential({ claims: { nationalities: ['FR', 'DE'] } }))).toEqual([])
    expect(checksOf(query, makePresentedCredential({ claims: { nationalities: ['FR'] } }))).toEqual([
      'claim_values: fail',
    ])
  })
})

describe('[OID4VP-17] trusted authorities', () => {
  const query = pid({
    trusted_authorities: [
      { type: 'etsi_tl', values: ['https://lotl.example.com'] },
      { type: 'aki', values: ['other', 's9tIpPmhxdiuNkHMEWNpYim8S8Y'] },
    ],
  })

  test('an issuer certified by one of them is accepted', () => {
    expect(
      checksOf(query, makePresentedCredential({ authority_key_ids: ['s9tIpPmhxdiuNkHMEWNpYim8S8Y'] })),
    ).toEqual([])
  })

  test('an issuer certified by none of them, or only by one that cannot be checked, is refused', () => {
    expect(checksOf(query, makePresentedCredential({ authority_key_ids: ['elsewhere'] }))).toEqual([
      'trusted_authority: fail',
    ])
    expect(checksOf(query, makePresentedCredential())).toEqual(['trusted_authority: fail'])
    const list = pid({ trusted_authorities: [{ type: 'etsi_tl', values: ['elsewhere'] }] })
    expect(checksOf(list, makePresentedCredential({ authority_key_ids: ['elsewhere'] }))).toEqual([
      'trusted_authority: fail',
    ])
    const federation = pid({ trusted_authorities: [{ type: 'openid_federation', values: ['elsewhere'] }] })
    const both = { authority_key_ids: ['elsewhere'], trust_lists: ['elsewhere'] }
    expect(checksOf(federation, makePresentedCredential(both))).toEqual(['trusted_authority: fail'])
  })

  test('an issuer that one of the trust lists names is accepted, however the URL is written', () => {
    const listed = (...trust_lists: string[]) => checksOf(query, makePresentedCredential({ trust_lists }))
    expect(listed('https://other.example', 'https://lotl.example.com')).toEqual([])
    expect(listed('HTTPS://LOTL.example.com:443/')).toEqual([])
    expect(listed('https://lotl.example.com/other')).toEqual(['trusted_authority: fail'])
    expect(listed('s9tIpPmhxdiuNkHMEWNpYim8S8Y')).toEqual(['trusted_authority: fail'])
  })
})

describe('[OID4VP-18] what must be presented', () => {
  const credentials = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
  const missing = (sets: Record<string, unknown>[] | undefined, ...presented: string[]) =>
    findMissingCredentials({ credentials, ...(sets && { credential_sets: sets }) }, new Set(presented))

  test('without sets: every credential', () => {
    expect(missing(undefined, 'a', 'b', 'c')).toEqual([])
    expect(missing(undefined, 'a')).toEqual(['b', 'c'])
    expect(missing([], 'a')).toEqual(['b', 'c'])
  })

  test('with sets: one complete option of each required set', () => {
    const sets = [{ options: [['a', 'b'], ['c']] }, { options: [['b']], required: false }]
    expect(missing(sets, 'a', 'b')).toEqual([])
    expect(missing(sets, 'c')).toEqual([])
    expect(missing(sets, 'a')).toEqual(['a with b or c'])
    expect(missing(sets)).toEqual(['a with b or c'])
  })

  test('a set is required unless it says otherwise', () => {
    expect(missing([{ options: [['a']] }])).toEqual(['a'])
    expect(missing([{ options: [['a']], required: true }])).toEqual(['a'])
    expect(missing([{ options: [['a']], required: false }])).toEqual([])
  })

  test('an invalid set is never satisfied', () => {
    expect(missing([{ options: 'all' }], 'a', 'b', 'c')).toHaveLength(1)
  })
})
