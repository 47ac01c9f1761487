import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  extension,
  fixedNow,
  makeCertificate,
  makeKey,
  type CertificateOptions,
  type IssuedCertificate,
} from '../../test/certificates.ts'
import { certificateAndCrlSign, crlUri, distributionPoints, makeCrl } from '../../test/crl.ts'
import { makeContext } from '../../test/fixture.ts'
import {
  makeOcspFixture,
  makeOcspResponse,
  noCheck,
  ocspSigningOid,
  ocspUri,
  responders,
  type OcspOptions,
} from '../../test/ocsp.ts'
import { oid, sequence } from '../../test/write-der.ts'
import { checkPathRevocation } from '../crl/check.ts'
import type { Finding, StatusListToken, TrustContext } from '../presentation.ts'
import { describeList } from '../status/describe-list.ts'
import { readCertificate, type Certificate } from '../x509/read-certificate.ts'
import { ocspLimits } from './read.ts'
import { buildOcspUri, readOcspUri } from './request.ts'

const { authority, signer } = makeOcspFixture()
const link = { certificate: read(signer), issuer: read(authority) }
const { serial } = link.certificate
const responseUri = buildOcspUri(ocspUri, link)

function read({ der: bytes }: { der: Buffer }): Certificate {
  const certificate = readCertificate(bytes)
  if ('error' in certificate) throw new Error(certificate.error)
  return certificate.value
}

type CheckOptions = { now?: number; status_unavailable?: TrustContext['status_unavailable'] }

/** Checks a path, signer first, with these responses and lists at their URIs. */
function checkPath(
  path: IssuedCertificate[],
  found: Record<string, StatusListToken>,
  { now = fixedNow, status_unavailable = 'fail' }: CheckOptions = {},
): Promise<Finding[]> {
  const { trust } = makeContext([], found)
  return checkPathRevocation(path.map(read), { trust: { ...trust, status_unavailable }, now })
}

const checkToken = (token: StatusListToken, options?: CheckOptions) =>
  checkPath([signer, authority], { [responseUri]: token }, options)
const check = (options: OcspOptions = {}, more?: CheckOptions) =>
  checkToken(makeOcspResponse(authority, serial, options), more)

const delegateOf = (issuer: IssuedCertificate, options: CertificateOptions = {}) =>
  makeCertificate({
    issuer,
    common_name: 'Responder',
    purposes: { critical: false, oids: [ocspSigningOid] },
    extensions: [noCheck],
    ...options,
  })

describe('[TRUST-20] a certificate that names a responder and no list', () => {
  test('passes if the responder says that it is good', async () => {
    expect(await check()).toEqual([])
    expect(await check({ by_key: true })).toEqual([])
    expect(await check({ others: 5 })).toEqual([])
  })

  test('fails if it was revoked, also in a response that is out of date', async () => {
    const revoked = {
      check: 'issuer_certificate_revocation',
      status: 'fail',
      detail: 'the certificate of "Test Signer" was revoked by its authority',
    }
    expect(await check({ status: 'revoked' })).toEqual([revoked])
    expect(
      await check({ status: 'revoked', next_update: fixedNow - 1 }, { status_unavailable: 'warning' }),
    ).toEqual([revoked])
  })

  test.each([false, true])(
    'may have a response of a certified responder (named by its key: %s)',
    async (by_key) => {
      const delegate = delegateOf(authority)
      const certificates = [makeCertificate().der, delegate.der]
      expect(await check({ delegate, by_key })).toEqual([])
      expect(await check({ delegate, by_key, certificates })).toEqual([])
    },
  )

  test('is not looked up if it names a list too, unless only in an unsupported way', async () => {
    const listed = (uri: string) =>
      makeCertificate({ issuer: crlAuthority, extensions: [distributionPoints(uri), responders(ocspUri)] })
    const crlAuthority = makeCertificate({ authority: true, usage: certificateAndCrlSign })
    const both = listed(crlUri)
    expect(await checkPath([both, crlAuthority], { [crlUri]: makeCrl(crlAuthority) })).toEqual([])
    const directory = listed('ldap://directory.example/cn=crl')
    const uri = buildOcspUri(ocspUri, { certificate: read(directory), issuer: read(crlAuthority) })
    const response = makeOcspResponse(crlAuthority, read(directory).serial)
    expect(await checkPath([directory, crlAuthority], { [uri]: response })).toEqual([])
    expect(await checkPath([directory, crlAuthority], {})).toMatchObject([
      { check: 'issuer_certificate_crl', status: 'fail' },
    ])
  })

  test('cannot be revoked if it names only where its issuer is', async () => {
    const unlisted = makeCertificate({ issuer: authority, extensions: [responders()] })
    expect(await checkPath([unlisted, authority], {})).toEqual([])
  })

  test('uses the second responder if the first is unavailable, and no third', async () => {
    const uris = ['http://one.example', 'http://two.example/', 'http://three.example']
    const fixture = makeOcspFixture(...uris)
    const path = [fixture.signer, fixture.authority]
    const certificate = read(fixture.signer)
    const response = makeOcspResponse(fixture.authority, certificate.serial)
    const at = (uri = '') => buildOcspUri(uri, { certificate, issuer: read(fixture.authority) })
    expect(await checkPath(path, { [at(uris[1])]: response })).toEqual([])
    expect(await checkPath(path, { [at(uris[2])]: response })).toMatchObject([{ status: 'fail' }])
  })
})

describe('a response that is not valid fails, whatever the policy says', () => {
  const other = makeCertificate({ authority: true, common_name: 'Other' })
  const sameName = makeCertificate({ authority: true, common_name: 'Test Authority' })
  const critical = extension('1.3.6.1.4.1.99999.1', Buffer.of(5, 0), true)
  const good = makeOcspResponse(authority, serial).token
  const bytes = (token: Uint8Array): StatusListToken => ({ token, media: 'ocsp' })
  const made = (options: OcspOptions, by = authority) => makeOcspResponse(by, serial, options)

  test.each<[string, StatusListToken, string]>([
    ['about another certificate', made({ serial: `${serial}00` }), 'another certificate'],
    ['about one of another authority', made({ name_hash: Buffer.alloc(20) }), 'another certificate'],
    ['about one of another key', made({ key_hash: Buffer.alloc(20) }), 'another certificate'],
    ['with another hash', made({ hash_oid: '2.16.840.1.101.3.4.2.1' }), 'another certificate'],
    ['of another authority', made({ delegate: other }), 'certified by another authority'],
    ['of another authority, not sent along', made({ delegate: other, certificates: [] }), 'somebody else'],
    ['of an authority with the same name', made({ key: sameName }), 'not signed by'],
    ['signed with another key', made({ key: makeKey() }), 'not signed by'],
    [
      'of a responder that another authority certified',
      made({ delegate: delegateOf(other) }),
      'certified by another authority',
    ],
    [
      'of a responder that an authority of the same name certified',
      made({ delegate: delegateOf(sameName) }),
      'certified by another authority',
    ],
    [
      'of a certificate without the purpose',
      made({ delegate: makeCertificate({ issuer: authority, common_name: 'Responder' }) }),
      'not certified for that',
    ],
    [
      'of a certificate with another purpose',
      made({
        delegate: delegateOf(authority, { purposes: { critical: true, oids: ['1.3.6.1.5.5.7.3.1'] } }),
      }),
      'not certified for that',
    ],
    [
      'of a responder that is an authority',
      made({ delegate: delegateOf(authority, { authority: true }) }),
      'not certified for that',
    ],
    [
      'of a responder whose key may not sign',
      made({ delegate: delegateOf(authority, { usage: 0x04 }) }),
      'not certified for that',
    ],
    [
      'of a responder with an unknown critical extension',
      made({ delegate: delegateOf(authority, { extensions: [noCheck, critical] }) }),
      'critical',
    ],
    ['of the very certificate that it is about', made({ delegate: signer }), 'not certified for that'],
    ['signed with SHA-1', made({ algorithm: sequence(oid('1.2.840.10045.4.1')) }), 'algorithm'],
    [
      'with the algorithm of another kind of key',
      made({ algorithm: sequence(oid('1.2.840.113549.1.1.11')) }),
      'algorithm',
    ],
    ['issued in the future', made({ issued_at: fixedNow + 61 }), 'future'],
    [
      'of a responder whose certificate is not valid yet',
      made({ delegate: delegateOf(authority, { valid_from: fixedNow + 61 }) }),
      'future',
    ],
    ['with an unknown critical extension', made({ extensions: [critical] }), 'critical'],
    ['with a status with an unknown critical extension', made({ status_extensions: [critical] }), 'critical'],
    ['of another type', made({ type: '1.3.6.1.5.5.7.48.1.2' }), 'another type'],
    [
      'with too many certificates',
      made({ certificates: Array.from({ length: 6 }, () => other.der) }),
      'too many',
    ],
    ['about too many certificates', made({ others: 100 }), 'too many'],
    ['that is not DER', bytes(Buffer.from('<html>')), 'DER'],
    ['that ends early', bytes(Buffer.from(good).subarray(0, 100)), 'DER'],
    ['with more after it', bytes(Buffer.concat([Buffer.from(good), Buffer.of(0)])), 'DER'],
    ['that is empty', bytes(Buffer.alloc(0)), 'DER'],
    ['that is a certificate', bytes(signer.der), ''],
    ['that is a revocation list', makeCrl(authority), 'not an OCSP response'],
    ['that is too large', bytes(Buffer.alloc(ocspLimits.response_bytes + 1, 0x30)), 'too large'],
  ])('%s', async (_, token, why) => {
    expect(await checkToken(token, { status_unavailable: 'warning' })).toMatchObject([
      { check: 'issuer_certificate_crl', status: 'fail', detail: expect.stringContaining(why) },
    ])
    // Whether it is up to date is for its user to see.
    const described = describeList(token, authority.der, responseUri)
    expect('value' in described).toBe(why === 'future')
  })
})

describe('if the status is unknown, the policy decides', () => {
  const expiring = delegateOf(authority, { valid_until: fixedNow - 1 })
  test.each<[string, OcspOptions, string]>([
    ['the responder does not know the certificate', { status: 'unknown' }, 'does not know'],
    ['the responder cannot tell', { response_status: 3 }, 'refused'],
    ['the responder wants to know who asks', { response_status: 6 }, 'refused'],
    ['the response has expired', { next_update: fixedNow }, 'expired'],
    ['it has no nextUpdate and is an hour old', { next_update: null, issued_at: fixedNow - 3600 }, 'expired'],
    ['the certificate of the responder has expired', { delegate: expiring }, 'expired'],
  ])('%s', async (_, options, why) => {
    for (const status of ['fail', 'warning'] as const) {
      expect(await check(options, { status_unavailable: status })).toMatchObject([
        { check: 'issuer_certificate_crl', status, detail: expect.stringContaining(why) },
      ])
    }
  })

  test('the responder is unavailable, or named in an unsupported way', async () => {
    const hidden = makeCertificate({
      issuer: authority,
      extensions: [responders('ldap://directory.example')],
    })
    for (const status of ['fail', 'warning'] as const) {
      const unavailable = { check: 'issuer_certificate_crl', status }
      const policy = { status_unavailable: status }
      expect(await checkPath([signer, authority], {}, policy)).toMatchObject([
        { ...unavailable, detail: expect.stringContaining('cannot be fetched') },
      ])
      expect(await checkPath([hidden, authority], {}, policy)).toMatchObject([
        { ...unavailable, detail: expect.stringContaining('unsupported') },
      ])
    }
  })

  test('but a response without nextUpdate counts for an hour after it was signed', async () => {
    const options = { next_update: null, issued_at: fixedNow - 86_400, produced_at: fixedNow - 3599 }
    expect(await check(options)).toEqual([])
  })
})

test('a responder that is to be looked up itself must not be revoked either', async () => {
  const root = makeCertificate({ authority: true, usage: certificateAndCrlSign })
  const leaf = makeCertificate({ issuer: root, extensions: [responders(ocspUri)] })
  const delegate = delegateOf(root, { extensions: [distributionPoints(crlUri)] })
  const uri = buildOcspUri(ocspUri, { certificate: read(leaf), issuer: read(root) })
  const found = (revoked: string[]) => ({
    [uri]: makeOcspResponse(root, read(leaf).serial, { delegate }),
    [crlUri]: makeCrl(root, { revoked }),
  })
  expect(await checkPath([leaf, root], found([]))).toEqual([])
  expect(await checkPath([leaf, root], found([read(delegate).serial]))).toMatchObject([
    { check: 'issuer_certificate_revocation', detail: expect.stringContaining('Responder') },
  ])
})

describe('the URI of a response', () => {
  test('names the responder and the certificate, as for GET (RFC 6960 §A.1)', () => {
    const parts = readOcspUri(responseUri)
    expect(parts).toMatchObject({ responder: ocspUri, certificate_id: expect.stringContaining(serial) })
    expect(responseUri).toBe(`${ocspUri}/${encodeURIComponent(parts?.request.toString('base64') ?? '')}`)
    for (const responder of ['http://ocsp.example', 'http://ocsp.example/', 'http://ocsp.example/a//?b=c/'])
      expect(readOcspUri(buildOcspUri(responder, link))?.responder).toBe(responder)
  })

  test('is none if it ends in anything else', () => {
    const texts = [
      '',
      crlUri,
      `${ocspUri}/${'A'.repeat(100)}`,
      `${ocspUri}/${'%'.repeat(99)}`,
      `${responseUri}A`,
    ]
    for (const uri of texts) expect(readOcspUri(uri)).toBeUndefined()
  })

  test('is needed to describe a response', () => {
    const token = makeOcspResponse(authority, serial)
    const times = { issued_at: fixedNow - 3600, expires_at: fixedNow + 3600 }
    expect(describeList(token, authority.der, responseUri)).toMatchObject({ value: times })
    expect(describeList(token, authority.der)).toEqual({
      error: expect.stringContaining('another certificate'),
    })
    expect(describeList(token, signer.der, responseUri)).toEqual({ error: expect.any(String) })
    const refused = makeOcspResponse(authority, serial, { response_status: 3 })
    expect(describeList(refused, authority.der, responseUri)).toEqual({ error: 'the responder cannot tell' })
  })
})

test('no other bytes are taken for a good response', async () => {
  const good = Buffer.from(makeOcspResponse(authority, serial, { delegate: delegateOf(authority) }).token)
  const mutations = fc.array(fc.tuple(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 })), {
    minLength: 1,
    maxLength: 4,
  })
  const flipped = mutations.map((changes) => {
    const bytes = Buffer.from(good)
    for (const [at, change] of changes) bytes[at] = (bytes[at] ?? 0) ^ change
    return bytes
  })
  const cut = fc
    .tuple(fc.nat(good.length - 1), fc.nat(20))
    .map(([at, length]) => Buffer.concat([good.subarray(0, at), good.subarray(at + length + 1)]))
  const anyBytes = fc.uint8Array({ maxLength: 300 })
  await fc.assert(
    fc.asyncProperty(fc.oneof(flipped, cut, anyBytes), async (token) => {
      if (good.equals(token)) return
      const findings = await checkToken({ token, media: 'ocsp' })
      expect(findings.map(({ status }) => status)).toEqual(['fail'])
    }),
    { numRuns: 500 },
  )
})
