import { expect, test } from 'vitest'
import type { AnyQuery } from '../dcql/query.ts'
import { buildDcApiRequest, type DcApiRequestInput } from './build-dc-api.ts'
import { makeEncryptionKey } from './make-encryption-key.ts'

const query: AnyQuery = {
  credentials: [{ id: 'mdl', format: 'mso_mdoc', meta: { doctype_value: 'org.iso.18013.5.1.mDL' } }],
}
const { jwk } = makeEncryptionKey(new Uint8Array(48).fill(1))
const build = (members: Partial<DcApiRequestInput> = {}) =>
  buildDcApiRequest({
    client_id: 'x509_hash:abc',
    origin: 'https://shop.example',
    nonce: 'a-nonce',
    dcql_query: query,
    encryption_jwk: jwk,
    issued_at: 1_800_000_000,
    expires_at: 1_800_000_300,
    ...members,
  })

test('the request has one origin, an encrypted response, and these claims only', () => {
  expect(build()).toEqual({
    client_id: 'x509_hash:abc',
    response_type: 'vp_token',
    response_mode: 'dc_api.jwt',
    expected_origins: ['https://shop.example'],
    nonce: 'a-nonce',
    dcql_query: query,
    client_metadata: {
      jwks: { keys: [jwk] },
      vp_formats_supported: expect.any(Object),
      encrypted_response_enc_values_supported: ['A128GCM', 'A256GCM'],
    },
    aud: 'https://self-issued.me/v2',
    iat: 1_800_000_000,
    exp: 1_800_000_300,
  })
})

test('purpose and attestations are in their usual places', () => {
  const verifier_info = [{ format: 'jwt', data: 'a.b.c' }]
  expect(build({ purpose: 'Age check', verifier_info })).toMatchObject({
    dcql_query: { credential_sets: [{ options: [['mdl']], purpose: 'Age check' }] },
    verifier_info,
  })
  expect(build({ verifier_info: [] })).not.toHaveProperty('verifier_info')
})
