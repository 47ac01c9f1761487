import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { generateSigningKey, type Algorithm } from '../keys/signing-key.ts'
import { validityAround, certify, createAuthority } from './authority.ts'
import { extendedKeyUsage, issuerUri, keyUsage, subjectDnsName } from './extensions.ts'
import { fromPem, toPem } from './sign-certificate.ts'

const now = new Date('2026-06-01T12:00:00Z')

test.each<Algorithm>(['ES256', 'ES384', 'ES512', 'ESB256', 'ESB320', 'ESB384', 'ESB512', 'EdDSA'])(
  'OpenSSL accepts the chain of a leaf signed with %s',
  (algorithm) => {
    const root = createAuthority({
      ...validityAround(now, 1, 3650),
      name: { country: 'UT', organization: 'Test', common_name: 'Root ü' },
      algorithm,
      path_length: 1,
      extensions: [issuerUri('https://issuer.invalid')],
    })
    const key = generateSigningKey(algorithm)
    const leaf = certify(root, {
      ...validityAround(now, 1, 90),
      name: { country: 'UT', state: 'UT-X', common_name: 'Signer' },
      key,
      extensions: [
        keyUsage('digital_signature'),
        extendedKeyUsage('1.0.18013.5.1.2', true),
        subjectDnsName('verifier.example'),
      ],
    })

    const rootCertificate = new X509Certificate(root.certificate)
    const leafCertificate = new X509Certificate(leaf)

    expect(rootCertificate.ca).toBe(true)
    expect(rootCertificate.verify(rootCertificate.publicKey)).toBe(true)
    expect(rootCertificate.subject).toBe('C=UT\nO=Test\nCN=Root ü')
    expect(leafCertificate.ca).toBe(false)
    expect(leafCertificate.checkIssued(rootCertificate)).toBe(true)
    expect(leafCertificate.verify(rootCertificate.publicKey)).toBe(true)
    expect(leafCertificate.publicKey.equals(key.public_key)).toBe(true)
    expect(leafCertificate.keyUsage).toEqual(['1.0.18013.5.1.2'])
    expect(leafCertificate.subjectAltName).toBe('DNS:verifier.example')
    expect(leafCertificate.validFromDate).toEqual(new Date('2026-05-31T12:00:00Z'))
  },
)

test('a subordinate authority names its parent and is signed by it', () => {
  const root = createAuthority({
    ...validityAround(now, 1, 3650),
    name: { common_name: 'Root' },
    path_length: 1,
  })
  const below = createAuthority(
    { ...validityAround(now, 1, 365), name: { common_name: 'Below' }, path_length: 0 },
    root,
  )

  expect(new X509Certificate(below.certificate).checkIssued(new X509Certificate(root.certificate))).toBe(true)
})

test('a certificate that expires after 2049 has a four-digit year', () => {
  const root = createAuthority({
    ...validityAround(now, 1, 10_000),
    name: { common_name: 'Root' },
    path_length: 0,
  })

  expect(new X509Certificate(root.certificate).validToDate).toEqual(new Date('2053-10-17T12:00:00Z'))
})

test('a certificate survives conversion to PEM and back', () => {
  const { certificate } = createAuthority({
    ...validityAround(now, 1, 1),
    name: { common_name: 'Root' },
    path_length: 0,
  })

  expect(new X509Certificate(toPem(certificate)).raw.equals(certificate)).toBe(true)
  expect(Buffer.from(fromPem(toPem(certificate))).equals(certificate)).toBe(true)
})
