import {
  certify,
  createAuthority,
  extendedKeyUsage,
  generateSigningKey,
  keyUsage,
  octetStringExtension,
  validityAround,
} from '@vidimus/sandbox'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkIdentity, type CheckedIdentity, type Ecosystem } from './check-identity.ts'
import {
  buildRelyingPartyMetadata,
  hashRelyingPartyMetadata,
  readRelyingPartyMetadata,
  relyingPartyMetadataOid,
} from './relying-party-metadata.ts'

const now = new Date('2026-11-18T12:00:00Z')
const seconds = now.getTime() / 1000
const root = createAuthority({
  ...validityAround(now, 30, 1000),
  name: { common_name: 'Root' },
  path_length: 0,
})
const display = {
  display_name: 'Corner Shop',
  logo_uri: 'https://shop.example/logo.png',
  privacy_policy_uri: 'https://shop.example/privacy',
}
const metadata = buildRelyingPartyMetadata({ display })

type Extension = Parameters<typeof certify>[1]['extensions'][number]
const raw = (oid: string, hex: string, critical = false): Extension => ({
  oid,
  critical,
  value: Buffer.from(hex, 'hex'),
})
/** In DER: policy 0.4.0.194118.1.1, an OCSP responder, and the URI https://s. */
const policy = raw('2.5.29.32', '300b3009060704008bec460101')
const access = raw('1.3.6.1.5.5.7.1.1', '3017301506082b060105050730018609687474703a2f2f6f63')
const uri = raw('2.5.29.17', '300b860968747470733a2f2f73')
const reader = extendedKeyUsage('1.0.18013.5.1.6', false)
const name = {
  country: 'DE',
  organization: 'Corner Shop',
  organization_identifier: 'NTRDE-1',
  common_name: 'shop.example',
}

function make(
  extensions: readonly Extension[],
  days = 300,
  subject: Parameters<typeof certify>[1]['name'] = name,
) {
  const key = generateSigningKey()
  return certify(root, { ...validityAround(now, 1, days), name: subject, key, extensions })
}

const messages = (ecosystem: Ecosystem, der: Uint8Array, rest: Partial<CheckedIdentity> = {}) =>
  checkIdentity({ ecosystem, certificates: [der], now: seconds, ...rest }).map(
    ({ severity, message }) => `${severity}: ${message}`,
  )

const signing = keyUsage('digital_signature')
const complete: Record<Ecosystem, readonly Extension[]> = {
  eu: [signing, access, policy, uri, reader],
  apple: [signing],
  google: [signing, octetStringExtension(relyingPartyMetadataOid, hashRelyingPartyMetadata(metadata))],
  iso: [signing, access, reader],
}
const rest: Record<Ecosystem, Partial<CheckedIdentity>> = {
  eu: {},
  apple: { hosts: ['shop.example'] },
  google: { metadata },
  iso: {},
}

test.each(['eu', 'apple', 'google', 'iso'] as const)(
  'nothing is said against a complete identity for %s',
  (each) => {
    expect(messages(each, make(complete[each]), rest[each])).toEqual([])
  },
)

const wrong: [string, Ecosystem, Uint8Array, Partial<CheckedIdentity>, RegExp][] = [
  ['expired', 'apple', make([signing], -1), {}, /^refused: It is not valid now/],
  ['ending soon', 'apple', make([signing], 20), {}, /^warning: It ends within 30 days/],
  ['an authority', 'iso', root.certificate, {}, /^refused: It is the certificate of an authority/],
  ['without key usage', 'eu', make([access, policy, uri, reader]), {}, /^refused: Its key usage/],
  ['with a critical extension', 'eu', make([signing, access, policy, uri, { ...reader, critical: true }]), {}, /^refused: An extension other/],
  ['without authority information', 'eu', make([signing, policy, uri, reader]), {}, /^refused: It has no authority information/],
  ['without revocation', 'iso', make([signing, reader]), {}, /^refused: It names neither/],
  ['without a policy', 'eu', make([signing, access, uri, reader]), {}, /^refused: It has none of the policies/],
  ['without a contact', 'eu', make([signing, access, policy, reader]), {}, /^refused: Its subject alternative name/],
  ['without a country', 'eu', make(complete.eu, 300, { common_name: 'shop.example' }), {}, /^refused: Its subject lacks the country/],
  ['without an organisation', 'eu', make(complete.eu, 300, { country: 'DE', common_name: 'Shop' }), {}, /^warning: Its subject has no organisation/],
  ['not for readers', 'eu', make([signing, access, policy, uri]), {}, /^warning: Its extended key usage/],
  ['not for readers', 'iso', make([signing, access]), {}, /^refused: Its extended key usage/],
  ['not for a domain', 'apple', make([signing], 300, { common_name: 'Corner Shop' }), {}, /^refused: Its common name is not a domain/],
  ['for another domain', 'apple', make([signing]), { hosts: ['other.example'] }, /^warning: Its domain/],
  ['for too long', 'apple', make([signing], 400), {}, /^warning: It is valid for more than 397 days/],
  ['without metadata', 'google', make(complete.google), {}, /^refused: Google’s metadata/],
  ['for other metadata', 'google', make(complete.google), { metadata: buildRelyingPartyMetadata({ display: { ...display, display_name: 'Other' } }) }, /^refused: Its extension 1\.3\.6\.1\.4\.1\.11129\.10\.1/],
  ['without the extension', 'google', make([signing]), { metadata }, /^refused: Its extension/],
  ['with the extension critical', 'google', make([signing, { ...octetStringExtension(relyingPartyMetadataOid, hashRelyingPartyMetadata(metadata)), critical: true }]), { metadata }, /^refused: Its extension/],
  ['with a hash that is no OCTET STRING', 'google', make([signing, raw(relyingPartyMetadataOid, '0500')]), { metadata }, /^refused: Its extension/],
  ['not a certificate', 'eu', new Uint8Array([1, 2, 3]), {}, /^refused: a certificate/],
] // prettier-ignore
test.each(wrong)('a certificate that is %s, for %s', (_, ecosystem, ...[der, given, expected]) => {
  const found = messages(ecosystem, der, given)
  expect(found.filter((message) => expected.test(message))).toHaveLength(1)
})

test('Google’s metadata is read as it was built, in the deterministic form', () => {
  expect(metadata.subarray(0, 13).toString('hex')).toBe('d818588ea267646973706c6179')
  const aggregator_info = { ...display, display_name: 'Vidimus' }
  for (const given of [{ display }, { display, aggregator_info }])
    expect(readRelyingPartyMetadata(buildRelyingPartyMetadata(given))).toEqual({ value: given })
  const insecure = buildRelyingPartyMetadata({ display: { ...display, logo_uri: 'http://x' } })
  expect(readRelyingPartyMetadata(insecure)).toEqual({ error: 'http://x is not an https URL' })
})

/** The certificate and the metadata of a registrar's test, published with OpenCred (stateofca/opencred, July 2026). */
const published = {
  certificate:
    'MIIBkDCCATWgAwIBAgIUQW/JFyN9UKhJMvPTzIQZTybPvQQwCgYIKoZIzj0EAwIwHjEcMBoGA1UEAwwTR1cgUlAgTWV0YWRhdGEgVGVzdDAeFw0yNjA3MDkxOTQ3MDBaFw0yNjA4MDgxOTQ3MDBaMB4xHDAaBgNVBAMME0dXIFJQIE1ldGFkYXRhIFRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ36WouFYwbJA8R35T4+p3JmAz3IGO7AmEObHl0It8A010NncH15jlvwLdbSwSg3TdOxVH5a5R4xjtnVyxcjwLIo1EwTzAMBgNVHRMBAf8EAjAAMA4GA1UdDwEB/wQEAwIHgDAvBgkrBgEEAdZ5CgEEIgQgKRHybhlattcjImvYr1RqayR4R+V5DaT6aXp5FRCOhgAwCgYIKoZIzj0EAwIDSQAwRgIhAKu3oQuR6/X+sLqR39zVkTBhxJw825toqhzYG7WOtK9UAiEA5JcYIvR5NYvHqMn47QwvfwpmUMVdOqGDZyyWYsNKvp0=',
  metadata:
    '2BhYyqJuc2NoZW1hX3ZlcnNpb25idjFnZGlzcGxheaNsZGlzcGxheV9uYW1ldERCLUNhRE1WIFFBIFZlcmlmaWVyaGxvZ29fdXJpeEdodHRwczovL3d3dy5kaWdpdGFsYmF6YWFyLmNvbS9hc3NldHMvaW1hZ2VzL2RpZ2l0YWwtYmF6YWFyLWxvZ290eXBlLnN2Z3Jwcml2YWN5X3BvbGljeV91cml4JWh0dHBzOi8vd3d3LmRpZ2l0YWxiYXphYXIuY29tL3ByaXZhY3k',
}

test('a published certificate names its metadata, and the same is refused with one byte changed', () => {
  const der = Buffer.from(published.certificate, 'base64')
  const bytes = Buffer.from(published.metadata, 'base64url')
  const july = { now: Date.parse('2026-07-10T00:00:00Z') / 1000 }
  expect(messages('google', der, { ...july, metadata: bytes })).toEqual([
    'warning: It ends within 30 days. Renew it.',
  ])
  expect(readRelyingPartyMetadata(bytes)).toMatchObject({
    value: { display: { display_name: 'DB-CaDMV QA Verifier' } },
  })
  const altered = Buffer.from(bytes.toString('latin1').replace('QA', 'qa'), 'latin1')
  expect(messages('google', der, { ...july, metadata: altered })).toEqual([
    'warning: It ends within 30 days. Renew it.',
    'refused: Its extension 1.3.6.1.4.1.11129.10.1 is missing, critical, or not the hash of the metadata.',
  ])
})

test('whatever is given is read or refused, and never throws', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.nat(metadata.length - 1),
      fc.integer({ min: 1, max: 255 }),
      (bytes, at, flip) => {
        const altered = Buffer.from(metadata)
        altered[at] = (altered[at] ?? 0) ^ flip
        for (const each of [bytes, altered]) {
          readRelyingPartyMetadata(each)
          expect(messages('google', make(complete.google), { metadata: each }).length).toBeGreaterThan(0)
          expect(messages('eu', each).length).toBeGreaterThan(0)
        }
      },
    ),
    { numRuns: 50 },
  )
})
