import type { VerificationBinding } from '../wallet/authorization-request.ts'
import { inBoth, inMdoc, rejectedResponse, type Fault } from './fault.ts'
import { generateOtherKey } from './response.ts'

const otherOrigin = 'https://elsewhere.example'

/** Proofs and responses for another origin or channel (OpenID4VP 1.0 annexes A.4 and B.2.6.2, ISO/IEC TS 18013-7 annex C). */
export const originFaults: readonly Fault[] = [
  {
    name: 'origin_other',
    description: 'the proof of possession was made for another origin',
    channels: ['dc_api', 'annex_c'],
    expect: inBoth('key_binding_audience', 'device_signature'),
    alterations: { verification: (original) => withOrigin(original, () => otherOrigin) },
  },
  {
    name: 'origin_slash',
    description: 'the proof of possession was made for the origin with a trailing slash',
    channels: ['dc_api', 'annex_c'],
    expect: inBoth('key_binding_audience', 'device_signature'),
    alterations: { verification: (original) => withOrigin(original, (origin) => `${origin}/`) },
  },
  {
    name: 'origin_prefix',
    description: 'the session transcript has the origin with the prefix of the audience',
    channels: ['dc_api', 'annex_c'],
    expect: inMdoc('device_signature'),
    alterations: { verification: (original) => withOrigin(original, (origin) => `origin:${origin}`) },
  },
  {
    name: 'session_of_redirect',
    description: 'the proof of possession was made for the verifier instead of the origin',
    channels: ['dc_api'],
    expect: inBoth('key_binding_audience', 'device_signature'),
    alterations: {
      verification: (original, { request }) =>
        original.kind === 'origin'
          ? {
              kind: 'client',
              client_id: request.client_id ?? '',
              nonce: original.nonce,
              response_uri: `${original.origin}/response`,
              thumbprint: original.thumbprint,
            }
          : original,
    },
  },
  {
    name: 'session_of_dc_api',
    description: 'the proof of possession was made for an origin instead of the verifier',
    channels: ['redirect', 'age_app'],
    expect: inBoth('key_binding_audience', 'device_signature'),
    alterations: {
      verification: (original) =>
        original.kind === 'client'
          ? {
              kind: 'origin',
              origin: new URL(original.response_uri).origin,
              nonce: original.nonce,
              thumbprint: original.thumbprint,
            }
          : original,
    },
  },
  {
    name: 'session_of_openid4vp',
    description: 'the document was signed for OpenID4VP instead of annex C',
    channels: ['annex_c'],
    expect: inMdoc('device_signature'),
    alterations: {
      verification: (original, { request }) =>
        original.kind === 'annex_c'
          ? { kind: 'origin', origin: original.origin, nonce: request.nonce ?? '', thumbprint: null }
          : original,
    },
  },
  {
    name: 'session_of_annex_c',
    description: 'the document was signed for annex C instead of OpenID4VP',
    channels: ['dc_api'],
    expect: inMdoc('device_signature'),
    alterations: {
      verification: (original) =>
        original.kind === 'origin'
          ? { kind: 'annex_c', origin: original.origin, encryption_info: 'oA' }
          : original,
    },
  },
  {
    name: 'request_other_origin',
    description: 'the response answers the request of another origin, with its nonce and its key',
    channels: ['dc_api'],
    expect: rejectedResponse,
    alterations: {
      verification: (original) => ({ ...withOrigin(original, () => otherOrigin), nonce: 'n'.repeat(43) }),
      encryption: (original) => ({
        jwk: generateOtherKey(),
        header: { ...original.header, kid: 'another' },
      }),
    },
  },
]

function withOrigin(
  verification: VerificationBinding,
  change: (origin: string) => string,
): VerificationBinding {
  return 'origin' in verification ? { ...verification, origin: change(verification.origin) } : verification
}
