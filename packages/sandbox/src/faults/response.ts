import { generateKeyPairSync } from 'node:crypto'
import { refusal } from '../wallet/answer-request.ts'
import type { EncryptionJwk } from '../wallet/authorization-request.ts'
import { notAnAnswer, type Fault } from './fault.ts'

/** Posts that are no answer of this session (OpenID4VP 1.0 §8.2, §8.3): the session waits on, whoever sent them. */
export const responseFaults: readonly Fault[] = [
  {
    name: 'state_other',
    description: 'the answer has the state of another session',
    expect: notAnAnswer,
    alterations: { answer: (right) => ({ ...right, state: 'state-of-another-session-0000000000000000000' }) },
  },
  {
    name: 'error_state_other',
    description: 'an error has the state of another session',
    expect: notAnAnswer,
    alterations: {
      form: (_, { request }) => ({ ...refusal(request, 'access_denied', 'Declined.'), state: 'another' }),
    },
  },
  {
    name: 'error_state_missing',
    description: 'an error that is not encrypted has no state',
    expect: notAnAnswer,
    alterations: { form: () => ({ error: 'access_denied' }) },
  },
  {
    name: 'answer_plain',
    description: 'the answer is not encrypted',
    expect: notAnAnswer,
    alterations: {
      form: (_, { request }) => ({ vp_token: '{"pid":["a~b~c"]}', state: request.state ?? '' }),
    },
  },
  {
    name: 'answer_twofold',
    description: 'an unencrypted answer stands beside the encrypted one',
    expect: notAnAnswer,
    alterations: { form: (right) => ({ ...right, vp_token: '{}' }) },
  },
  {
    name: 'answer_empty',
    description: 'the post holds nothing',
    expect: notAnAnswer,
    alterations: { form: () => ({}) },
  },
  {
    name: 'answer_oversized',
    description: 'the post is larger than two megabytes',
    expect: notAnAnswer,
    alterations: { form: (right) => ({ ...right, padding: 'A'.repeat(2 * 1024 * 1024) }) },
  },
  {
    name: 'jwe_garbage',
    description: 'the encrypted answer is no JWE',
    expect: notAnAnswer,
    alterations: { form: () => ({ response: 'not.a.jwe.at.all' }) },
  },
  {
    name: 'jwe_truncated',
    description: 'the encrypted answer has lost its last byte',
    expect: notAnAnswer,
    alterations: { form: (right) => ({ response: (right['response'] ?? '').slice(0, -2) }) },
  },
  {
    name: 'jwe_other_key',
    description: 'the answer is encrypted to another key under the name of the right one',
    expect: notAnAnswer,
    alterations: { encryption: (right) => ({ ...right, jwk: otherKey() }) },
  },
  {
    name: 'jwe_kid',
    description: 'the answer names another key than it is encrypted to',
    expect: notAnAnswer,
    alterations: { encryption: (right) => ({ ...right, header: { ...right.header, kid: 'another' } }) },
  },
  {
    name: 'jwe_zip',
    description: 'the answer is compressed',
    expect: notAnAnswer,
    alterations: { encryption: (right) => ({ ...right, header: { ...right.header, zip: 'DEF' } }) },
  },
  {
    name: 'jwe_enc',
    description: 'the content is encrypted in a way that was not offered',
    expect: notAnAnswer,
    alterations: { encryption: (right) => ({ ...right, header: { ...right.header, enc: 'A192GCM' } }) },
  },
  {
    name: 'jwe_alg',
    description: 'the key is agreed in a way that was not offered',
    expect: notAnAnswer,
    alterations: {
      encryption: (right) => ({ ...right, header: { ...right.header, alg: 'ECDH-ES+A128KW' } }),
    },
  },
]

function otherKey(): EncryptionJwk {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return { kty: 'EC', crv: 'P-256', x, y, kid: 'another', alg: 'ECDH-ES' }
}
