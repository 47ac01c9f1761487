import { generateKeyPairSync } from 'node:crypto'
import { buildErrorResponse } from '../wallet/build-response.ts'
import type { EncryptionJwk } from '../wallet/authorization-request.ts'
import { rejectedResponse, type Fault } from './fault.ts'

/** Posts that are rejected because they do not belong to the verification or cannot be opened (OpenID4VP 1.0 §8.2, §8.3). */
export const responseFaults: readonly Fault[] = [
  {
    name: 'state_other',
    description: 'the response has the state of another verification',
    channels: ['redirect', 'age_app'],
    expect: rejectedResponse,
    alterations: {
      parameters: (original) => ({ ...original, state: 'state-of-another-session-0000000000000000000' }),
    },
  },
  {
    name: 'error_state_other',
    description: 'an error response has the state of another verification',
    channels: ['redirect', 'age_app'],
    expect: rejectedResponse,
    alterations: {
      form: (_, { request }) => ({
        ...buildErrorResponse(request, 'access_denied', 'Declined.'),
        state: 'another',
      }),
    },
  },
  {
    name: 'error_state_missing',
    description: 'an unencrypted error response has no state',
    channels: ['redirect', 'age_app'],
    expect: rejectedResponse,
    alterations: { form: () => ({ error: 'access_denied' }) },
  },
  {
    name: 'state_absent',
    description: 'an unencrypted response has no state',
    channels: ['age_app'],
    expect: rejectedResponse,
    alterations: { parameters: ({ vp_token }) => ({ vp_token }) },
  },
  {
    name: 'answer_plain',
    description: 'the response is not encrypted',
    channels: ['redirect', 'dc_api'],
    expect: rejectedResponse,
    alterations: {
      form: ({ protocol }, { request }) => ({
        vp_token: '{"pid":["a~b~c"]}',
        ...(request.state !== undefined && { state: request.state }),
        ...(protocol !== undefined && { protocol }),
      }),
    },
  },
  {
    name: 'answer_encrypted',
    description: 'the response is encrypted although the request has no key for it',
    channels: ['age_app'],
    expect: rejectedResponse,
    alterations: { form: ({ state = '' }) => ({ response: 'e30.a.b.c.d', state }) },
  },
  {
    name: 'answer_twofold',
    description: 'the post contains an unencrypted response beside the encrypted one',
    channels: ['redirect', 'dc_api', 'annex_c'],
    expect: rejectedResponse,
    alterations: { form: (original) => ({ ...original, vp_token: '{}' }) },
  },
  {
    name: 'answer_empty',
    description: 'the post is empty',
    channels: ['redirect', 'dc_api', 'annex_c', 'age_app'],
    expect: rejectedResponse,
    alterations: { form: () => ({}) },
  },
  {
    name: 'answer_oversized',
    description: 'the post is larger than two megabytes',
    channels: ['redirect', 'dc_api', 'annex_c', 'age_app'],
    expect: rejectedResponse,
    alterations: { form: (original) => ({ ...original, padding: 'A'.repeat(2 * 1024 * 1024) }) },
  },
  {
    name: 'jwe_garbage',
    description: 'the encrypted response is not a JWE',
    channels: ['redirect', 'dc_api', 'annex_c'],
    expect: rejectedResponse,
    alterations: { form: (original) => ({ ...original, response: 'not.a.jwe.at.all' }) },
  },
  {
    name: 'jwe_truncated',
    description: 'the last byte of the encrypted response is missing',
    channels: ['redirect', 'dc_api', 'annex_c'],
    expect: rejectedResponse,
    alterations: {
      form: (original) => ({ ...original, response: (original['response'] ?? '').slice(0, -2) }),
    },
  },
  {
    name: 'jwe_other_key',
    description: "the response is encrypted to another key but has the right key's kid",
    expect: rejectedResponse,
    alterations: { encryption: (original) => ({ ...original, jwk: generateOtherKey() }) },
  },
  {
    name: 'jwe_kid',
    description: 'the kid of the response does not match the key it is encrypted to',
    expect: rejectedResponse,
    alterations: {
      encryption: (original) => ({ ...original, header: { ...original.header, kid: 'another' } }),
    },
  },
  {
    name: 'jwe_zip',
    description: 'the response is compressed',
    expect: rejectedResponse,
    alterations: { encryption: (original) => ({ ...original, header: { ...original.header, zip: 'DEF' } }) },
  },
  {
    name: 'jwe_enc',
    description: 'the content encryption algorithm was not offered',
    expect: rejectedResponse,
    alterations: {
      encryption: (original) => ({ ...original, header: { ...original.header, enc: 'A192GCM' } }),
    },
  },
  {
    name: 'jwe_alg',
    description: 'the key agreement algorithm was not offered',
    expect: rejectedResponse,
    alterations: {
      encryption: (original) => ({ ...original, header: { ...original.header, alg: 'ECDH-ES+A128KW' } }),
    },
  },
  {
    name: 'protocol_missing',
    description: 'the post does not say which protocol was answered',
    channels: ['dc_api', 'annex_c'],
    expect: rejectedResponse,
    alterations: { form: ({ response = '' }) => ({ response }) },
  },
  {
    name: 'protocol_unknown',
    description: 'the post names a protocol that was not offered',
    channels: ['dc_api', 'annex_c'],
    expect: rejectedResponse,
    alterations: { form: (original) => ({ ...original, protocol: 'openid4vp-v1-unsigned' }) },
  },
  {
    name: 'protocol_other',
    description: 'a response of one protocol is posted as one of the other',
    channels: ['dc_api', 'annex_c'],
    expect: rejectedResponse,
    alterations: {
      form: (original, { request }) => ({
        ...original,
        protocol: request.channel === 'annex_c' ? 'openid4vp-v1-signed' : 'org-iso-mdoc',
      }),
    },
  },
]

/** A key that the verifier does not have. */
export function generateOtherKey(): EncryptionJwk {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return { kty: 'EC', crv: 'P-256', x, y, kid: 'another', alg: 'ECDH-ES' }
}
