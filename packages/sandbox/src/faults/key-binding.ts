import { toCoseKey, generateSigningKey, toPublicJwk, type SigningKey } from '../keys/signing-key.ts'
import {
  flipSignature,
  withHmacSignature,
  withMember,
  withSignature,
  omitMember,
} from './alteration-helpers.ts'
import { inBoth, inSdJwt, type Fault } from './fault.ts'

const year_seconds = 31_536_000

/** Faults in the key binding of an SD-JWT VC (RFC 9901 §7.3, OpenID4VP 1.0 annex B.3.6). */
export const keyBindingFaults: readonly Fault[] = [
  {
    name: 'holder_other_key',
    description: 'the proof of possession is signed with a key that the document is not bound to',
    expect: inBoth('key_binding_signature', 'device_signature'),
    alterations: { proof_key: (original) => generateSigningKey(original.algorithm) },
  },
  {
    name: 'kb_signature',
    description: 'one bit of the key binding signature is flipped',
    expect: inSdJwt('key_binding_signature'),
    alterations: { kb_jwt: flipSignature },
  },
  {
    name: 'kb_missing',
    description: 'the key binding is missing',
    expect: inSdJwt('key_binding'),
    alterations: { kb_jwt: () => '' },
  },
  {
    name: 'kb_typ',
    description: 'the key binding has typ JWT',
    expect: inSdJwt('key_binding'),
    alterations: { kb_header: (original) => ({ ...original, typ: 'JWT' }) },
  },
  {
    name: 'kb_typ_missing',
    description: 'the key binding has no typ',
    expect: inSdJwt('key_binding'),
    alterations: { kb_header: (original) => omitMember(original, 'typ') },
  },
  {
    name: 'kb_alg_none',
    description: 'the key binding has alg none and no signature',
    expect: inSdJwt('key_binding'),
    alterations: {
      kb_header: (original) => ({ ...original, alg: 'none' }),
      kb_jwt: (original) => withSignature(original, new Uint8Array(0)),
    },
  },
  {
    name: 'kb_hs256',
    description: "the key binding is an HMAC with the holder's public key as the secret",
    expect: inSdJwt('key_binding'),
    alterations: {
      kb_header: (original) => ({ ...original, alg: 'HS256' }),
      kb_jwt: (original, { holder_key }) => withHmacSignature(original, holder_key.public_key),
    },
  },
  {
    name: 'kb_alg_other_curve',
    description: "the algorithm of the key binding does not match the curve of the holder's key",
    expect: inSdJwt('key_binding'),
    alterations: { kb_header: (original) => ({ ...original, alg: 'EdDSA' }) },
  },
  {
    name: 'kb_nonce',
    description: 'the key binding has the nonce of another verification',
    expect: inSdJwt('key_binding_nonce'),
    alterations: {
      kb_payload: (original) => ({ ...original, nonce: 'nonce-of-another-session-0000000000000000000' }),
    },
  },
  {
    name: 'kb_nonce_missing',
    description: 'the key binding has no nonce',
    expect: inSdJwt('key_binding_nonce'),
    alterations: { kb_payload: (original) => omitMember(original, 'nonce') },
  },
  {
    name: 'kb_audience',
    description: 'the key binding was made for another verifier',
    expect: inSdJwt('key_binding_audience'),
    alterations: { kb_payload: (original) => ({ ...original, aud: 'x509_san_dns:elsewhere.example' }) },
  },
  {
    name: 'kb_audience_missing',
    description: 'the key binding has no audience',
    expect: inSdJwt('key_binding_audience'),
    alterations: { kb_payload: (original) => omitMember(original, 'aud') },
  },
  {
    name: 'kb_audience_prefix',
    description: 'the audience of the key binding has no prefix',
    expect: inSdJwt('key_binding_audience'),
    alterations: {
      kb_payload: ({ aud, ...rest }) => ({
        ...rest,
        aud: typeof aud === 'string' ? aud.slice(aud.indexOf(':') + 1) : aud,
      }),
    },
  },
  {
    name: 'kb_audience_list',
    description: 'the audience of the key binding is a list that includes the verifier',
    expect: inSdJwt('key_binding_audience'),
    alterations: {
      kb_payload: (original) => ({
        ...original,
        aud: [original['aud'] ?? '', 'x509_san_dns:elsewhere.example'],
      }),
    },
  },
  {
    name: 'kb_iat_past',
    description: 'the key binding was signed a year ago',
    expect: inSdJwt('key_binding_time'),
    alterations: { kb_payload: (original) => ({ ...original, iat: Number(original['iat']) - year_seconds }) },
  },
  {
    name: 'kb_iat_future',
    description: 'the key binding is dated a year in the future',
    expect: inSdJwt('key_binding_time'),
    alterations: { kb_payload: (original) => ({ ...original, iat: Number(original['iat']) + year_seconds }) },
  },
  {
    name: 'kb_iat_missing',
    description: 'the key binding has no iat',
    expect: inSdJwt('key_binding_time'),
    alterations: { kb_payload: (original) => omitMember(original, 'iat') },
  },
  {
    name: 'kb_expired',
    description: 'the key binding has expired (exp)',
    expect: inSdJwt('key_binding_time'),
    alterations: { kb_payload: (original) => ({ ...original, exp: Number(original['iat']) - year_seconds }) },
  },
  {
    name: 'kb_sd_hash',
    description: 'sd_hash of the key binding covers other disclosures',
    expect: inSdJwt('key_binding_hash'),
    alterations: {
      kb_payload: (original) => ({ ...original, sd_hash: 'hash-of-other-disclosures-00000000000000000' }),
    },
  },
  {
    name: 'kb_sd_hash_missing',
    description: 'the key binding has no sd_hash',
    expect: inSdJwt('key_binding_hash'),
    alterations: { kb_payload: (original) => omitMember(original, 'sd_hash') },
  },
  {
    name: 'cnf_missing',
    description: 'the document is not bound to a key',
    expect: inSdJwt('holder_key'),
    alterations: { issuer_payload: (original) => omitMember(original, 'cnf') },
  },
  {
    name: 'holder_private_key',
    description: "the document contains the holder's private key",
    expect: inBoth('holder_key'),
    alterations: {
      issuer_payload: (original, { holder_key }) => ({
        ...original,
        cnf: { jwk: { ...toPublicJwk(holder_key), d: privateScalar(holder_key) } },
      }),
      mso: (original, { holder_key }) =>
        withMember(original, 'deviceKeyInfo', {
          deviceKey: toCoseKey(holder_key).set(-4, Buffer.from(privateScalar(holder_key), 'base64url')),
        }),
    },
  },
]

function privateScalar({ private_key }: SigningKey): string {
  return private_key.export({ format: 'jwk' }).d ?? ''
}
