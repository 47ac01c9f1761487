import { describe, expect, test } from 'vitest'
import { checkQuery } from '../dcql/check/check-query.ts'
import type { AnyQuery } from '../dcql/query.ts'
import { buildRequest, type RequestInput } from './build.ts'
import { makeEncryptionKey } from './make-encryption-key.ts'
import { readRequestPost } from './read-post.ts'

const query: AnyQuery = {
  credentials: [
    { id: 'pid', format: 'dc+sd-jwt', meta: { vct_values: ['urn:eudi:pid:1'] } },
    { id: 'mdl', format: 'mso_mdoc', meta: { doctype_value: 'org.iso.18013.5.1.mDL' } },
  ],
}
const key = makeEncryptionKey(new Uint8Array(48).fill(1))
const build = (members: Partial<RequestInput> = {}) =>
  buildRequest({
    client_id: 'x509_hash:abc',
    response_uri: 'https://verifier.example/wallet/response/vs_1',
    nonce: 'a-nonce',
    state: 'a-state',
    dcql_query: query,
    encryption_jwk: key.jwk,
    issued_at: 1_800_000_000,
    expires_at: 1_800_000_300,
    ...members,
  })

describe('[OID4VP-3] POST to the request URI', () => {
  test('returns the wallet_nonce in the request object; without one the claim is absent', () => {
    const post = readRequestPost('wallet_nonce=qPmxiNFCR3QTm19POc8u&wallet_metadata=%7B%7D&unheard_of=1')
    expect(post).toEqual({ wallet_nonce: 'qPmxiNFCR3QTm19POc8u' })
    expect(build(post)).toMatchObject({ wallet_nonce: 'qPmxiNFCR3QTm19POc8u' })

    expect(readRequestPost('wallet_metadata=%7B%7D')).toEqual({})
    expect(build(readRequestPost(''))).not.toHaveProperty('wallet_nonce')
  })

  test('refuses two nonces, an empty one or one that is too long', () => {
    expect(readRequestPost('wallet_nonce=a&wallet_nonce=b')).toBeUndefined()
    expect(readRequestPost('wallet_nonce=')).toBeUndefined()
    expect(readRequestPost(`wallet_nonce=${'a'.repeat(1025)}`)).toBeUndefined()
    expect(readRequestPost(`wallet_metadata=${'a'.repeat(65_536)}`)).toBeUndefined()
  })
})

test('[OID4VP-5] the request object has exactly the claims of the profile', () => {
  const { dcql_query, client_metadata, ...claims } = build()
  expect(claims).toEqual({
    client_id: 'x509_hash:abc',
    response_type: 'vp_token',
    response_mode: 'direct_post.jwt',
    response_uri: 'https://verifier.example/wallet/response/vs_1',
    nonce: 'a-nonce',
    state: 'a-state',
    aud: 'https://self-issued.me/v2',
    iat: 1_800_000_000,
    exp: 1_800_000_300,
  })
  expect(dcql_query).toEqual(query)
  expect(client_metadata).toBeDefined()
})

describe('[OID4VP-7] client_metadata', () => {
  test('contains exactly the key, the formats and the content encryptions', () => {
    const { client_metadata } = build()
    expect(Object.keys(client_metadata).toSorted()).toEqual([
      'encrypted_response_enc_values_supported',
      'jwks',
      'vp_formats_supported',
    ])
    expect(client_metadata.encrypted_response_enc_values_supported).toEqual(['A128GCM', 'A256GCM'])
    expect(client_metadata.jwks.keys).toEqual([
      {
        kty: 'EC',
        crv: 'P-256',
        x: key.jwk.x,
        y: key.jwk.y,
        kid: key.thumbprint,
        use: 'enc',
        alg: 'ECDH-ES',
      },
    ])
  })

  test('lists both formats with the verified algorithms, and no MAC', () => {
    const formats = build().client_metadata.vp_formats_supported
    const jose = ['ES256', 'ES384', 'ES512', 'ESB256', 'ESB320', 'ESB384', 'ESB512', 'Ed25519']
    const cose = [-7, -9, -35, -51, -36, -52, -265, -266, -267, -268, -8, -19]
    expect(formats).toEqual({
      'dc+sd-jwt': { 'sd-jwt_alg_values': jose, 'kb-jwt_alg_values': jose },
      mso_mdoc: { issuerauth_alg_values: cose, deviceauth_alg_values: cose },
    })
  })
})

describe('[WREQ-6] [OID4VP-9] the purpose', () => {
  const purpose = 'Age check'

  test('is added in a set of all credentials if the query has no sets', () => {
    const { dcql_query } = build({ purpose })
    expect(dcql_query).toEqual({ ...query, credential_sets: [{ options: [['pid', 'mdl']], purpose }] })
    expect(checkQuery(dcql_query)).toEqual([])
  })

  test('is added to every set of the query', () => {
    const credential_sets = [
      { options: [['pid'], ['mdl']] },
      { options: [['mdl']], required: false, purpose: 'another' },
    ]
    expect(build({ purpose, dcql_query: { ...query, credential_sets } }).dcql_query.credential_sets).toEqual([
      { options: [['pid'], ['mdl']], purpose },
      { options: [['mdl']], required: false, purpose },
    ])
  })

  test('is omitted if there is none', () => {
    expect(build().dcql_query).toBe(query)
  })

  test('is never transaction_data', () => {
    expect(build({ purpose })).not.toHaveProperty('transaction_data')
  })
})

test('[OID4VP-9] verifier_info is present only if the merchant has an attestation', () => {
  const verifier_info = [{ format: 'registration_cert', data: 'eyJ…', credential_ids: ['pid'] }]
  expect(build({ verifier_info })).toMatchObject({ verifier_info })
  expect(build({ verifier_info: [] })).not.toHaveProperty('verifier_info')
  expect(build()).not.toHaveProperty('verifier_info')
})
