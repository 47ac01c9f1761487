import { createHash, sign } from 'node:crypto'
import {
  certify,
  createAuthority,
  generateSigningKey,
  keyUsage,
  subjectDnsName,
  toPem,
  validityAround,
} from '@vidimus/sandbox'
import { compactVerify, decodeProtectedHeader, generalVerify, importX509 } from 'jose'
import { describe, expect, test } from 'vitest'
import { buildWalletUri } from './build-wallet-uri.ts'
import { buildDcApiRequest } from './build-dc-api.ts'
import { buildRequest } from './build.ts'
import { identifyVerifier } from './identify.ts'
import { makeEncryptionKey } from './make-encryption-key.ts'
import { signRequest, signRequestByAll } from './sign.ts'

const validity = validityAround(new Date('2026-11-15T00:00:00Z'), 30, 365)
const root = createAuthority({ ...validity, name: { common_name: 'Root' }, path_length: 1 })
const middle = createAuthority({ ...validity, name: { common_name: 'Middle' }, path_length: 0 }, root)
const key = generateSigningKey()
const leaf = certify(middle, {
  ...validity,
  name: { common_name: 'Verifier' },
  key,
  extensions: [keyUsage('digital_signature'), subjectDnsName('verifier.example')],
})

const request = buildRequest({
  client_id: 'x509_hash:abc',
  response_uri: 'https://verifier.example/wallet/response/vs_1',
  nonce: 'n'.repeat(43),
  state: 's'.repeat(43),
  dcql_query: { credentials: [{ id: 'pid', format: 'dc+sd-jwt', meta: {} }] },
  encryption_jwk: makeEncryptionKey(new Uint8Array(48).fill(7)).jwk,
  issued_at: 1_800_000_000,
  expires_at: 1_800_000_300,
})

describe('[OID4VP-4] the signed request object', () => {
  const identity = identifyVerifier({
    certificates: [leaf, middle.certificate, root.certificate],
    prefix: 'x509_hash',
  })

  test('has exactly typ, alg and x5c without the anchor in its header, and verifies with the leaf', async () => {
    const jwt = await signRequest(request, identity, async (bytes) =>
      sign('sha256', bytes, { key: key.private_key, dsaEncoding: 'ieee-p1363' }),
    )
    expect(decodeProtectedHeader(jwt)).toEqual({
      typ: 'oauth-authz-req+jwt',
      alg: 'ES256',
      x5c: [leaf, middle.certificate].map((der) => Buffer.from(der).toString('base64')),
    })
    const { payload } = await compactVerify(jwt, await importX509(toPem(leaf), 'ES256'))
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual(request)
  })

  test('is refused with a DER signature', async () => {
    const derEncoded = async (bytes: Uint8Array) => sign('sha256', bytes, key.private_key)
    await expect(signRequest(request, identity, derEncoded)).rejects.toThrow(
      'an ES256 signature has 64 bytes',
    )
  })
})

describe('a request signed by several', () => {
  const otherKey = generateSigningKey()
  const otherLeaf = certify(root, {
    ...validity,
    name: { common_name: 'The same verifier elsewhere' },
    key: otherKey,
    extensions: [keyUsage('digital_signature')],
  })
  const identities = (
    [
      [leaf, key],
      [otherLeaf, otherKey],
    ] as const
  ).map(([certificate, each]) => ({
    ...identifyVerifier({ certificates: [certificate], prefix: 'x509_hash' }),
    sign: async (bytes: Uint8Array) =>
      sign('sha256', bytes, { key: each.private_key, dsaEncoding: 'ieee-p1363' }),
  }))
  const [first, second] = identities
  const verifier_info = [{ format: 'registration_cert', data: 'a.b.c' }]
  const dcRequest = buildDcApiRequest({
    client_id: first?.client_id ?? '',
    origin: 'https://shop.example',
    nonce: 'n'.repeat(43),
    dcql_query: request.dcql_query,
    encryption_jwk: makeEncryptionKey(new Uint8Array(48).fill(7)).jwk,
    issued_at: 1_800_000_000,
    expires_at: 1_800_000_300,
    verifier_info,
  })

  test('has in each header what belongs to its signer, everything else in one payload, and verifies with each leaf', async () => {
    if (first === undefined) throw new Error('there are two')
    const signed = await signRequestByAll(dcRequest, [{ ...first, verifier_info }, ...identities.slice(1)])
    expect(signed.signatures.map((each) => decodeProtectedHeader(each))).toEqual([
      { typ: 'oauth-authz-req+jwt', alg: 'ES256', x5c: first.x5c, client_id: first.client_id, verifier_info },
      { typ: 'oauth-authz-req+jwt', alg: 'ES256', x5c: second?.x5c, client_id: second?.client_id },
    ])
    const { client_id: _, verifier_info: __, ...shared } = dcRequest
    for (const certificate of [leaf, otherLeaf]) {
      const { payload } = await generalVerify(signed, await importX509(toPem(certificate), 'ES256'))
      expect(JSON.parse(Buffer.from(payload).toString())).toEqual(shared)
    }
    const stranger = generateSigningKey().public_key
    await expect(generalVerify(signed, stranger)).rejects.toThrow('signature verification failed')
  })
})

describe('[OID4VP-4] the client identifier', () => {
  test('x509_hash: base64url SHA-256 of the leaf', () => {
    const { client_id } = identifyVerifier({ certificates: [leaf, middle.certificate], prefix: 'x509_hash' })
    expect(client_id).toBe(`x509_hash:${createHash('sha256').update(leaf).digest('base64url')}`)
  })

  test('x509_san_dns: the DNS name of the leaf', () => {
    const { client_id } = identifyVerifier({ certificates: [leaf], prefix: 'x509_san_dns' })
    expect(client_id).toBe('x509_san_dns:verifier.example')
  })

  test('x509_san_dns without a DNS name is refused, regardless of the subject', () => {
    const nameless = certify(root, {
      ...validity,
      name: { common_name: 'DNS:verifier.example' },
      key,
      extensions: [],
    })
    expect(() => identifyVerifier({ certificates: [nameless], prefix: 'x509_san_dns' })).toThrow(
      'no DNS name',
    )
  })

  test('refuses a self-signed leaf, a missing leaf, another curve and a chain out of order', () => {
    const identify = (...certificates: Uint8Array[]) => {
      return () => identifyVerifier({ certificates, prefix: 'x509_hash' })
    }
    const name = { common_name: 'P-384' }
    const p384 = certify(root, { ...validity, name, key: generateSigningKey('ES384'), extensions: [] })
    expect(identify(root.certificate)).toThrow('self-signed')
    expect(identify()).toThrow('no certificate')
    expect(identify(p384)).toThrow('P-256')
    expect(identify(leaf, root.certificate)).toThrow('not signed by the next')
    expect(identify(leaf, root.certificate, middle.certificate)).toThrow('not signed by the next')
  })

  test('[OID4VP-1] is the same in wallet_uri and in the request object, byte for byte', () => {
    const { client_id } = identifyVerifier({ certificates: [leaf], prefix: 'x509_hash' })
    const uri = new URL(buildWalletUri({ client_id, request_uri: 'https://verifier.example/r' }))
    expect(uri.searchParams.get('client_id')).toBe(client_id)
  })
})
