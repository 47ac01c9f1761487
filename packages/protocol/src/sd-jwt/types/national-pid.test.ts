import { describe, expect, test } from 'vitest'
import { makeCertificate } from '../../../test/certificates.ts'
import { makeContext, makeFixture } from '../../../test/fixture.ts'
import { listFailures } from '../../../test/presented-credential.ts'
import { presentSdJwt } from '../../../test/sd-jwt.ts'
import { matchCredential } from '../../dcql/match/match-credential.ts'
import type { Anchor } from '../../presentation.ts'
import { verifySdJwt } from '../verify.ts'
import { basePidType, findPidCountry, isSameCountry } from './national-pid.ts'

const fixture = makeFixture()
const signerOf = (country: string) => makeCertificate({ issuer: fixture.authority, country })

type Presented = {
  vct: string
  country: string
  requested?: string[]
  anchors?: Anchor[]
  aka_vcts?: string[]
}

function verify({ vct, country, requested = [basePidType], anchors, aka_vcts }: Presented) {
  const trusted = anchors ?? [{ certificate: fixture.authority.der, document_types: [basePidType] }]
  const presentation = presentSdJwt(
    { ...fixture, signer: signerOf(country) },
    { payload: { vct, ...(aka_vcts && { aka_vcts }) } },
  )
  const credential = verifySdJwt(presentation, { ...makeContext(trusted), requested_types: requested })
  const query = { id: 'pid', format: 'dc+sd-jwt', meta: { vct_values: requested } } as const
  return {
    credential,
    failures: [
      ...listFailures(credential),
      ...matchCredential(query, credential).findings.map(({ check }) => check),
    ],
  }
}

describe('a national PID is accepted as the base type', () => {
  test.each([
    ['urn:eudi:pid:nl:1', 'NL'],
    ['urn:eudi:pid:it:1', 'IT'],
    ['urn:eudi:pid:fr:12', 'fr'],
    ['urn:eudi:pid:de-by:1', 'DE'],
    ['urn:eudi:pid:gr:1', 'EL'],
    ['urn:eudi:pid:el:1', 'GR'],
  ])('%s of a signer of %s', (vct, country) => {
    const { credential, failures } = verify({ vct, country })
    expect(failures).toEqual([])
    expect(credential).toMatchObject({ doctype_or_vct: vct, document_types: [basePidType], trusted: true })
  })
})

describe('a national PID is refused', () => {
  test.each<[string, Presented, string[]]>([
    ['of another country than its signer', { vct: 'urn:eudi:pid:nl:1', country: 'DE' }, ['issuer_country']],
    [
      'of another country than its signer, though it is also called a PID',
      { vct: 'urn:eudi:pid:nl:1', country: 'DE', aka_vcts: [basePidType] },
      ['issuer_country'],
    ],
    [
      'of another country than its signer, though its type was asked for',
      { vct: 'urn:eudi:pid:nl:1', country: 'DE', requested: ['urn:eudi:pid:nl:1'] },
      ['issuer_document_type', 'issuer_country'],
    ],
    [
      'of an issuer of other documents',
      {
        vct: 'urn:eudi:pid:nl:1',
        country: 'NL',
        anchors: [{ certificate: fixture.authority.der, document_types: ['urn:eudi:ehic:1'] }],
      },
      ['issuer_document_type'],
    ],
    [
      'if another type was asked for',
      { vct: 'urn:eudi:pid:nl:1', country: 'NL', requested: ['urn:eudi:pid:de:1'] },
      ['issuer_document_type', 'credential_type'],
    ],
    [
      'if it is a later version of the base type',
      { vct: 'urn:eudi:pid:2', country: 'UT' },
      ['issuer_document_type', 'credential_type'],
    ],
  ])('%s', (_, presented, expected) => {
    expect(verify(presented).failures).toEqual(expected)
  })
})

test.each([
  'urn:eudi:pid:1',
  'urn:eudi:pid:NL:1',
  'urn:eudi:pid:nld:1',
  'urn:eudi:pid:nl',
  'urn:eudi:pid:nl:',
  'urn:eudi:pid:nl:1:2',
  'urn:eudi:pid:nl:x',
  'xurn:eudi:pid:nl:1',
  'urn:eudi:ehic:nl:1',
  'urn:eudi:pid:nl:1\n',
])('%j is no national PID', (vct) => {
  expect(findPidCountry(vct)).toBeUndefined()
})

test('a certificate without a country is of no country', () => {
  expect(isSameCountry('NL', undefined)).toBe(false)
})
