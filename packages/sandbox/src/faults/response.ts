import { generateKeyPairSync } from 'node:crypto'
import { buildErrorResponse } from '../wallet/build-response.ts'
import type { EncryptionJwk } from '../wallet/authorization-request.ts'
import { rejectedResponse, type Fault } from './fault.ts'

/** Posts that are rejected because they do not belong to the session or cannot be opened (OpenID4VP 1.0 §8.2, §8.3). */
export const responseFaults: readonly Fault[] = [
  {
    name: 'state_other',
    description: 'the response has the state of another session',
    expect: rejectedResponse,
    alterations: {
      parameters: (original) => ({ ...original, state: 'state-of-another-session-0000000000000000000' }),
    },
  },
  {
    name: 'error_state_other',
    description: 'an error response has the state of another session',
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
    expect: rejectedResponse,
    alterations: { form: () => ({ error: 'access_denied' }) },
  },
  {
    name: 'answer_plain',
    description: 'the response is not encrypted',
    expect: rejectedResponse,
    alterations: {
      form: (_, { request }) => ({ vp_token: '{"pid":["a~b~c"]}', state: request.state ?? '' }),
    },
  },
  {
    name: 'answer_twofold',
    description: 'the post contains an unencrypted response beside the encrypted one',
    expect: rejectedResponse,
    alterations: { form: (original) => ({ ...original, vp_token: '{}' }) },
  },
  {
    name: 'answer_empty',
    description: 'the post is empty',
    expect: rejectedResponse,
    alterations: { form: () => ({}) },
  },
  {
    name: 'answer_oversized',
    description: 'the post is larger than two megabytes',
    expect: rejectedResponse,
    alterations: { form: (original) => ({ ...original, padding: 'A'.repeat(2 * 1024 * 1024) }) },
  },
  {
    name: 'jwe_garbage',
    description: 'the encrypted response is not a JWE',
    expect: rejectedResponse,
    alterations: { form: () => ({ response: 'not.a.jwe.at.all' }) },
  },
  {
    name: 'jwe_truncated',
    description: 'the last byte of the encrypted response is missing',
    expect: rejectedResponse,
    alterations: { form: (original) => ({ response: (original['response'] ?? '').slice(0, -2) }) },
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
]

function generateOtherKey(): EncryptionJwk {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return { kty: 'EC', crv: 'P-256', x, y, kid: 'another', alg: 'ECDH-ES' }
}
