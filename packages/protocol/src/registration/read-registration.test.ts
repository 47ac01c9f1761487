import {
  createRegistrar,
  issueRegistration,
  type RegistrationDraft,
  type RegistrationFault,
} from '@vidimus/sandbox'
import { describe, expect, test } from 'vitest'
import { makeCertificate, makeKey } from '../../test/certificates.ts'
import { signJws } from '../../test/sign.ts'
import type { Anchor } from '../presentation.ts'
import { readRegistration } from './read-registration.ts'
import type { Registration } from './registration.ts'

const clock = new Date('2026-06-01T12:00:00Z')
const now = clock.getTime() / 1000
const registrar = createRegistrar({ now: clock })
const anchors: Anchor[] = [
  { certificate: registrar.root.certificate, role: 'registration', entity: 'register' },
]

const draft: RegistrationDraft = {
  name: 'Flower shop',
  legal_name: 'Flowers Ltd',
  identifier: 'NTRUT-12345678',
  purpose: 'To sell wine',
  intended_use_id: 'use-1',
  credentials: [
    {
      format: 'dc+sd-jwt',
      meta: { vct_values: ['urn:eudi:pid:1'] },
      claims: [
        ['age_equal_or_over', '18'],
        ['nationalities', null],
      ],
    },
    { format: 'mso_mdoc', meta: { doctype_value: 'org.iso.18013.5.1.mDL' } },
  ],
}

const issue = (options: { fault?: RegistrationFault; version?: '1.1.1' | '1.2.1' } = {}, changes = {}) =>
  issueRegistration(registrar, { ...draft, ...changes }, { now: clock, ...options })

function read(token: string, trusted = anchors): Registration {
  const result = readRegistration(token, { anchors: trusted, now })
  if ('error' in result) throw new Error(result.error)
  return result.value
}

/** What was found other than that all is well. */
const problems = ({ findings }: Registration) =>
  findings.filter(({ status }) => status !== 'pass').map(({ check, status }) => `${check} ${status}`)

describe('a registration certificate is read', () => {
  test('in the form of V1.2.1', () => {
    const token = issue()
    const registration = read(token)
    expect(registration).toMatchObject({
      token,
      name: 'Flower shop',
      legal_name: 'Flowers Ltd',
      identifiers: [{ identifier: 'NTRUT-12345678' }],
      country: 'UT',
      registry_uri: 'https://registrar.invalid/register',
      service: [{ lang: 'en', value: 'A shop' }],
      purpose: [{ lang: 'en', value: 'To sell wine' }],
      intended_use_id: 'use-1',
      entitlements: ['https://uri.etsi.org/19475/Entitlement/Service_Provider'],
      privacy_policy: 'https://shop.invalid/privacy',
      info_uri: 'https://shop.invalid',
      support_uris: ['https://shop.invalid/support'],
      supervisory_authority: { email: 'dpa@registrar.invalid', uri: 'https://dpa.invalid' },
      policy_ids: ['0.4.0.19475.3.1'],
      certificate_policy: 'https://registrar.invalid/policy',
      credentials: [
        {
          format: 'dc+sd-jwt',
          types: ['urn:eudi:pid:1'],
          claims: [
            ['age_equal_or_over', '18'],
            ['nationalities', null],
          ],
        },
        { format: 'mso_mdoc', types: ['org.iso.18013.5.1.mDL'] },
      ],
      issued_at: now - 86_400,
      expires_at: now + 180 * 86_400,
      status_list: { uri: 'https://registrar.invalid/status/registrations.jwt' },
      issuer: {
        common_name: 'Sandbox Registrar',
        organization: 'Vidimus Sandbox',
        anchor: { entity: 'register' },
      },
      issuer_trusted: true,
    })
    expect(registration.credentials[1]).not.toHaveProperty('claims')
    expect(registration).not.toHaveProperty('intermediary')
    expect(problems(registration)).toEqual([])
  })

  test('in the form of V1.1.1, with the same members', () => {
    const older = read(
      issue({ version: '1.1.1' }, { credentials: [{ ...draft.credentials[0], claims: [['given_name']] }] }),
    )
    expect(older).toMatchObject({
      name: 'Flower shop',
      legal_name: 'Flowers Ltd',
      identifiers: [{ type: 'http://data.europa.eu/eudi/id/EUID', identifier: 'NTRUT-12345678' }],
      service: [{ lang: 'en', value: 'A shop' }],
      privacy_policy: 'https://shop.invalid/privacy',
      info_uri: 'https://shop.invalid',
      supervisory_authority: { country: 'UT', email: 'dpa@registrar.invalid', uri: 'https://dpa.invalid' },
      credentials: [{ format: 'dc+sd-jwt', types: ['urn:eudi:pid:1'], claims: [['given_name']] }],
    })
    expect(problems(older)).toEqual([])
  })

  test('as base64url of the JWT, with white space around it', () => {
    const token = issue()
    expect(read(`\n ${token}\n`).token).toBe(token)
    expect(read(Buffer.from(token).toString('base64url')).token).toBe(token)
  })

  test.each(['1.1.1', '1.2.1'] as const)('with an intermediary (V%s)', (version) => {
    const intermediary = { identifier: 'NTRUT-99', name: 'Example Verify' }
    expect(read(issue({ version }, { intermediary })).intermediary).toEqual(intermediary)
  })

  test.each(['ES384', 'ES512', 'ESB256', 'ESB384', 'ESB512', 'EdDSA'] as const)(
    'signed with %s',
    (algorithm) => {
      const other = createRegistrar({ now: clock, algorithm })
      const token = issueRegistration(other, draft, { now: clock })
      const trusted: Anchor[] = [{ certificate: other.root.certificate, role: 'registration' }]
      expect(read(token, trusted)).toMatchObject({ issuer_trusted: true })
    },
  )
})

describe('what is found in a registration certificate', () => {
  test.each<[RegistrationFault, string[]]>([
    ['other_signer', ['issuer fail']],
    ['expired', ['validity fail']],
    ['not_yet_valid', ['validity fail']],
    ['too_long', ['lifetime warning']],
    ['no_status', ['status_reference warning']],
  ])('%s', (fault, found) => {
    expect(problems(read(issue({ fault })))).toEqual(found)
  })

  test('without a trusted registrar, its issuer is not trusted and a warning says so', () => {
    const issuing: Anchor[] = [{ certificate: registrar.root.certificate }]
    for (const trusted of [[], issuing]) {
      const registration = read(issue(), trusted)
      expect(registration.issuer_trusted).toBe(false)
      expect(problems(registration)).toEqual(['issuer warning'])
    }
  })

  test.each([
    ['TLS servers', '1.3.6.1.5.5.7.3.1'],
    ['mdoc readers', '1.0.18013.5.1.6'],
    ['document signers', '1.0.18013.5.1.2'],
    ['status list signers', '1.3.6.1.5.5.7.3.30'],
  ])('a certificate of the registrar for %s is no seal', (_, purpose) => {
    const authority = makeCertificate({ authority: true })
    const trusted: Anchor[] = [{ certificate: authority.der, role: 'registration' }]
    const issuerOf = (oids: string[]) => {
      const certified = makeCertificate({ issuer: authority, purposes: { critical: false, oids } })
      const x5c = [certified.der.toString('base64')]
      return read(sign(claims, { x5c }, certified).token, trusted).issuer_trusted
    }
    expect(issuerOf([purpose])).toBe(false)
    expect(issuerOf(['1.3.6.1.5.5.7.3.36'])).toBe(true)
  })

  test('an anchor of another role is no registrar', () => {
    const other: Anchor = {
      certificate: createRegistrar({ now: clock }).root.certificate,
      role: 'registration',
    }
    const trusted: Anchor[] = [{ certificate: registrar.root.certificate, role: 'revocation' }, other]
    expect(problems(read(issue(), trusted))).toEqual(['issuer fail'])
  })

  test('without exp, it is accepted with a warning', () => {
    const { token } = sign({ iat: now, sub: 'X' })
    expect(problems(read(token, []))).toEqual([
      'issuer warning',
      'lifetime warning',
      'status_reference warning',
    ])
  })
})

const seal = makeCertificate({ common_name: 'Registrar' })
const header = { typ: 'rc-wrp+jwt', alg: 'ES256', x5c: [seal.der.toString('base64')] }
const sign = (claims: object, members: object = {}, key = seal) => ({
  token: signJws({ ...header, ...members }, claims, key),
})
const claims = { iat: now, exp: now + 1000, sub: 'NTRUT-1' }

describe('a registration certificate is refused', () => {
  const refusal = (token: string) => readRegistration(token, { anchors: [], now })

  test.each<[RegistrationFault, string]>([
    ['wrong_typ', 'typ'],
    ['other_key', 'signature'],
  ])('%s', (fault, error) => {
    expect(refusal(issue({ fault }))).toEqual({ error: expect.stringContaining(error) })
  })

  test.each<[string, object, object, string]>([
    ['with alg none', {}, { alg: 'none' }, 'algorithm'],
    ['with a MAC', {}, { alg: 'HS256' }, 'algorithm'],
    ['with an algorithm of another curve', {}, { alg: 'ESB256' }, 'signature'],
    ['without x5c', {}, { x5c: undefined }, 'x5c'],
    ['with x5c that is no certificate', {}, { x5c: ['AAAA'] }, 'certificate'],
    ['with an unknown critical extension', {}, { crit: ['exp'] }, 'extension'],
    ['with an unencoded payload', {}, { b64: false }, 'base64url'],
    ['without sub', { sub: undefined }, {}, 'identifier'],
    ['with an empty list of identifiers', { sub: { id: [] } }, {}, 'identifier'],
    ['without iat', { iat: undefined }, {}, 'iat'],
    ['with a text as exp', { exp: '2027-01-01' }, {}, 'exp'],
    ['with an intermediary without identifier', { intermediary: { name: 'X' } }, {}, 'intermediary'],
    ['with a credential without format', { credentials: [{ meta: {} }] }, {}, 'format'],
    ['with a credential that is no object', { credentials: ['x'] }, {}, 'format'],
    ['with an empty path', { credentials: [{ format: 'x', claim: [{ path: [] }] }] }, {}, 'path'],
    ['with a negative index', { credentials: [{ format: 'x', claim: [{ path: [-1] }] }] }, {}, 'path'],
    [
      'with a path that is too long',
      { credentials: [{ format: 'x', claim: [{ path: Array(40).fill('a') }] }] },
      {},
      'path',
    ],
    [
      'with too many credentials',
      { credentials: Array.from({ length: 101 }, () => ({ format: 'x' })) },
      {},
      'credentials',
    ],
    [
      'with too many claims',
      { credentials: [{ format: 'x', claim: Array.from({ length: 501 }, () => ({ path: ['a'] })) }] },
      {},
      'claims',
    ],
    ['with a text that is too long', { name: 'x'.repeat(2001) }, {}, 'too long'],
    ['with a text that cannot be stored', { name: 'a\0b' }, {}, 'stored'],
  ])('%s', (_, changedClaims, members, error) => {
    expect(refusal(sign({ ...claims, ...changedClaims }, members).token)).toEqual({
      error: expect.stringContaining(error),
    })
  })

  test('with another key than that of its certificate, or an altered claim', () => {
    expect(refusal(sign(claims, {}, { ...seal, ...makeKey() }).token)).toHaveProperty('error')
    const [head, , signature] = sign(claims).token.split('.')
    const altered = Buffer.from(JSON.stringify({ ...claims, sub: 'other' })).toString('base64url')
    expect(refusal(`${head}.${altered}.${signature}`)).toEqual({
      error: expect.stringContaining('signature'),
    })
  })

  test.each(['', '.', '..', 'a.b', 'not a token', 'x'.repeat(200_000), '€'])('that is none: %#', (text) => {
    expect(refusal(text)).toHaveProperty('error')
  })

  test('sigT and the default b64 may be critical', () => {
    const members = { crit: ['sigT', 'b64'], sigT: '2026-06-01T00:00:00Z', b64: true }
    expect(refusal(sign(claims, members).token)).toHaveProperty('value')
  })
})
