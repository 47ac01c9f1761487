import { describe, expect, test } from 'vitest'
import {
  extension,
  fixedNow,
  makeCertificate,
  makeKey,
  type IssuedCertificate,
} from '../../test/certificates.ts'
import {
  certificateAndCrlSign,
  crlUri,
  distributionPoints,
  fullName,
  issuingPoint,
  makeCrl,
  makeCrlFixture,
} from '../../test/crl.ts'
import { makeContext } from '../../test/fixture.ts'
import { der, integer, oid, sequence } from '../../test/write-der.ts'
import type { Finding, StatusListToken, TrustContext } from '../presentation.ts'
import { readCertificate, type Certificate } from '../x509/read-certificate.ts'
import { checkPathRevocation } from './check.ts'

const { authority, signer } = makeCrlFixture()
const serial = read(signer).serial

type Lists = Record<string, StatusListToken>
type CheckOptions = { now?: number; status_unavailable?: TrustContext['status_unavailable'] }

/** Checks a path, signer first, with these lists at their places. */
function check(
  path: IssuedCertificate[],
  lists: Lists,
  { now = fixedNow, status_unavailable = 'fail' }: CheckOptions = {},
): Promise<Finding[]> {
  const { trust } = makeContext([], lists)
  return checkPathRevocation(path.map(read), { trust: { ...trust, status_unavailable }, now })
}

const checkSigner = (list: StatusListToken): Promise<Finding[]> =>
  check([signer, authority], { [crlUri]: list })

function read({ der: bytes }: { der: Buffer }): Certificate {
  const certificate = readCertificate(bytes)
  if ('error' in certificate) throw new Error(certificate.error)
  return certificate.value
}

describe('[TRUST-20] a certificate', () => {
  test('that its authority has revoked fails, with a finding of its own', async () => {
    expect(await checkSigner(makeCrl(authority, { revoked: ['05', serial, '7f'] }))).toEqual([
      {
        check: 'issuer_certificate_revocation',
        status: 'fail',
        detail: 'the certificate of "Test Signer" was revoked by its authority',
      },
    ])
  })

  test.each([
    ['no certificate', []],
    ['others', ['05', '7f00']],
    ['a number that begins with its own', [`${serial}00`]],
    ['a number that its own begins with', [serial.slice(0, -2)]],
  ])('passes if the list names %s', async (_, revoked) => {
    expect(await checkSigner(makeCrl(authority, { revoked }))).toEqual([])
  })

  test('is found among 20,000 others, however its number is padded', async () => {
    const others = Array.from({ length: 20_000 }, (_, at) => (0x100000 + at).toString(16).padStart(8, '0'))
    expect(await checkSigner(makeCrl(authority, { revoked: [...others, `00${serial}`] }))).toMatchObject([
      { check: 'issuer_certificate_revocation' },
    ])
    expect(await checkSigner(makeCrl(authority, { revoked: others }))).toEqual([])
  })

  test('that names no list cannot be revoked: nothing is looked up', async () => {
    const unlisted = makeCertificate({ issuer: authority })
    const { trust } = makeContext([])
    const lookUpStatus = (): never => {
      throw new Error('no lookup expected')
    }
    const context = { trust: { ...trust, lookUpStatus }, now: fixedNow }
    expect(await checkPathRevocation([unlisted, authority].map(read), context)).toEqual([])
    // A pinned signer has no authority above it.
    expect(await checkPathRevocation([signer].map(read), context)).toEqual([])
  })

  test('counts at every level of the path but the anchor', async () => {
    const middle = makeCertificate({
      issuer: authority,
      authority: true,
      common_name: 'Middle Authority',
      usage: certificateAndCrlSign,
      extensions: [distributionPoints(crlUri)],
    })
    const leaf = makeCertificate({
      issuer: middle,
      extensions: [distributionPoints('https://crl.example/middle.crl')],
    })
    const path = [leaf, middle, authority]
    const lists = (options: { middle?: string[]; root?: string[] } = {}) => ({
      'https://crl.example/middle.crl': makeCrl(middle, { revoked: options.middle ?? [] }),
      [crlUri]: makeCrl(authority, { revoked: options.root ?? [] }),
    })
    expect(await check(path, lists())).toEqual([])
    expect(await check(path, lists({ root: [read(middle).serial] }))).toMatchObject([
      { check: 'issuer_certificate_revocation', detail: expect.stringContaining('Middle Authority') },
    ])
    expect(await check(path, lists({ middle: [read(leaf).serial] }))).toMatchObject([
      { check: 'issuer_certificate_revocation', detail: expect.stringContaining('Test Signer') },
    ])
    // The number of one certificate in the list of another authority means another certificate.
    expect(await check(path, lists({ root: [read(leaf).serial] }))).toEqual([])
  })

  test('on hold counts as revoked', async () => {
    const hold = extension('2.5.29.21', der(0x0a, Buffer.of(6)))
    expect(
      await checkSigner(makeCrl(authority, { revoked: [serial], entry_extensions: [hold] })),
    ).toMatchObject([{ check: 'issuer_certificate_revocation' }])
  })
})

describe('a list that is not valid fails, whatever the policy says', () => {
  const other = makeCertificate({ authority: true, common_name: 'Other', usage: certificateAndCrlSign })
  const sameName = makeCertificate({
    authority: true,
    common_name: 'Test Authority',
    usage: certificateAndCrlSign,
  })
  const critical = extension('1.3.6.1.4.1.99999.1', Buffer.of(5, 0), true)
  const flag = (tag: number): Buffer => der(tag, Buffer.of(0xff))
  const good = makeCrl(authority)

  test.each<[string, StatusListToken, string]>([
    ['of another authority', makeCrl(other), 'issued by another authority'],
    ['of an authority with the same name', makeCrl(sameName), 'not signed by'],
    ['signed with another key', makeCrl(authority, { key: makeKey() }), 'not signed by'],
    [
      'with two algorithms',
      makeCrl(authority, { inner_algorithm: sequence(oid('1.2.840.10045.4.3.3')) }),
      'two signature algorithms',
    ],
    ['signed with SHA-1', makeCrl(authority, { algorithm: sequence(oid('1.2.840.10045.4.1')) }), 'algorithm'],
    [
      'with the algorithm of another kind of key',
      makeCrl(authority, { algorithm: sequence(oid('1.2.840.113549.1.1.11')) }),
      'algorithm',
    ],
    ['issued in the future', makeCrl(authority, { issued_at: fixedNow + 61 }), 'future'],
    ['without nextUpdate', makeCrl(authority, { next_update: null }), 'next one'],
    ['with an unknown critical extension', makeCrl(authority, { extensions: [critical] }), 'critical'],
    [
      'with an entry with an unknown critical extension',
      makeCrl(authority, { revoked: ['05'], entry_extensions: [critical] }),
      'critical',
    ],
    [
      'with an entry of another issuer',
      makeCrl(authority, { revoked: ['05'], entry_extensions: [extension('2.5.29.29', sequence(), true)] }),
      'critical',
    ],
    [
      'that is a delta',
      makeCrl(authority, { extensions: [extension('2.5.29.27', integer(1), true)] }),
      'delta',
    ],
    ['that is indirect', makeCrl(authority, { extensions: [issuingPoint(flag(0x84))] }), 'indirect'],
    [
      'for some reasons',
      makeCrl(authority, { extensions: [issuingPoint(der(0x83, Buffer.of(6, 0x40)))] }),
      'some reasons',
    ],
    ['for authorities only', makeCrl(authority, { extensions: [issuingPoint(flag(0x82))] }), 'covers other'],
    ['for attributes only', makeCrl(authority, { extensions: [issuingPoint(flag(0x85))] }), 'attribute'],
    [
      'for another place',
      makeCrl(authority, { extensions: [issuingPoint(fullName(`${crlUri}/other`))] }),
      'covers other',
    ],
    ['that is not DER', { token: Buffer.from('<html>'), media: 'crl' }, 'DER'],
    ['that ends early', { token: Buffer.from(good.token).subarray(0, 100), media: 'crl' }, 'DER'],
    ['that is a certificate', { token: signer.der, media: 'crl' }, ''],
    ['that is a status list', { token: 'eyJ', media: 'jwt' }, 'not a certificate revocation list'],
    ['of more than 4 MiB', { token: Buffer.alloc(4 * 1024 * 1024 + 1, 0x30), media: 'crl' }, 'too large'],
  ])('%s', async (_, list, why) => {
    const findings = await check([signer, authority], { [crlUri]: list }, { status_unavailable: 'warning' })
    expect(findings).toMatchObject([
      { check: 'issuer_certificate_crl', status: 'fail', detail: expect.stringContaining(why) },
    ])
  })

  test('of an authority that may not sign lists', async () => {
    const silent = makeCertificate({ authority: true, common_name: 'Silent' })
    const leaf = makeCertificate({ issuer: silent, extensions: [distributionPoints(crlUri)] })
    expect(await check([leaf, silent], { [crlUri]: makeCrl(silent) })).toMatchObject([
      { check: 'issuer_certificate_crl', detail: expect.stringContaining('may not sign') },
    ])
  })

  test.each([
    ['for the place that the certificate names', [issuingPoint(fullName(crlUri))]],
    ['for signers only', [issuingPoint(flag(0x81))]],
    ['that says it is not indirect', [issuingPoint(der(0x84, Buffer.of(0)))]],
    ['with an unknown extension that is not critical', [extension('1.3.6.1.4.1.99999.1', Buffer.of(5, 0))]],
  ])('but not one %s', async (_, extensions) => {
    expect(await checkSigner(makeCrl(authority, { extensions }))).toEqual([])
  })

  test('and a list for signers does not cover an authority', async () => {
    const middle = makeCertificate({
      issuer: authority,
      authority: true,
      extensions: [distributionPoints(crlUri)],
    })
    const lists = { [crlUri]: makeCrl(authority, { extensions: [issuingPoint(flag(0x81))] }) }
    expect(await check([middle, authority], lists)).toMatchObject([{ check: 'issuer_certificate_crl' }])
  })
})

describe('if no list can be had, the policy decides', () => {
  const policies = ['fail', 'warning'] as const

  test.each(policies)('unavailable: %s', async (status) => {
    expect(await check([signer, authority], {}, { status_unavailable: status })).toMatchObject([
      { check: 'issuer_certificate_crl', status, detail: expect.stringContaining('cannot be fetched') },
    ])
  })

  test.each(policies)('expired: %s', async (status) => {
    const lists = { [crlUri]: makeCrl(authority, { next_update: fixedNow }) }
    expect(await check([signer, authority], lists, { status_unavailable: status })).toMatchObject([
      { check: 'issuer_certificate_crl', status, detail: expect.stringContaining('expired') },
    ])
    expect(await check([signer, authority], lists, { now: fixedNow - 1 })).toEqual([])
  })

  test.each(policies)('published in an unsupported way: %s', async (status) => {
    const hidden = makeCertificate({
      issuer: authority,
      extensions: [distributionPoints('ldap://directory.example/cn=crl')],
    })
    expect(await check([hidden, authority], {}, { status_unavailable: status })).toMatchObject([
      { check: 'issuer_certificate_crl', status, detail: expect.stringContaining('unsupported') },
    ])
  })

  test('but an expired list still says who was revoked', async () => {
    const lists = { [crlUri]: makeCrl(authority, { next_update: fixedNow - 1, revoked: [serial] }) }
    expect(await check([signer, authority], lists, { status_unavailable: 'warning' })).toMatchObject([
      { check: 'issuer_certificate_revocation', status: 'fail' },
    ])
  })
})

describe('[TRUST-20] of several places', () => {
  const places = ['http://one.example/a.crl', 'http://two.example/a.crl', 'http://three.example/a.crl']
  const fixture = makeCrlFixture(...places)
  const path = [fixture.signer, fixture.authority]
  const good = makeCrl(fixture.authority)

  test('the second is used if the first has no list, or a wrong one', async () => {
    expect(await check(path, { [places[1] ?? '']: good })).toEqual([])
    expect(await check(path, { [places[0] ?? '']: makeCrl(authority), [places[1] ?? '']: good })).toEqual([])
  })

  test('no more than two are used', async () => {
    expect(await check(path, { [places[2] ?? '']: good })).toMatchObject([
      { check: 'issuer_certificate_crl' },
    ])
  })

  test('one for some reasons only does not count', async () => {
    const reasons = der(0x81, Buffer.of(6, 0x40))
    const partial = makeCertificate({
      issuer: authority,
      extensions: [extension('2.5.29.31', sequence(sequence(fullName(crlUri), reasons)))],
    })
    expect(await check([partial, authority], { [crlUri]: makeCrl(authority) })).toMatchObject([
      { check: 'issuer_certificate_crl', detail: expect.stringContaining('unsupported') },
    ])
  })
})
