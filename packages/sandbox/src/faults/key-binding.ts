import { createHmac, type KeyObject } from 'node:crypto'
import { coseKey, generateSigningKey, publicJwk, type SigningKey } from '../keys/signing-key.ts'
import { flipSignature, withMember, withSignature, without } from './alter.ts'
import { inBoth, inSdJwt, type Fault } from './fault.ts'

const year = 31_536_000

/** Faults of the proof that the wallet holds the key of an SD-JWT VC (RFC 9901 §7.3, OpenID4VP 1.0 annex B.3.6). */
export const keyBindingFaults: readonly Fault[] = [
  {
    name: 'holder_other_key',
    description: 'possession is proven with a key that the document is not bound to',
    expect: inBoth('key_binding_signature', 'device_signature'),
    alterations: { proof_key: (right) => generateSigningKey(right.algorithm) },
  },
  {
    name: 'kb_signature',
    description: 'one bit of the key binding signature is flipped',
    expect: inSdJwt('key_binding_signature'),
    alterations: { kb_jwt: flipSignature },
  },
  {
    name: 'kb_missing',
    description: 'the key binding is left out',
    expect: inSdJwt('key_binding'),
    alterations: { kb_jwt: () => '' },
  },
  {
    name: 'kb_typ',
    description: 'the key binding has typ JWT',
    expect: inSdJwt('key_binding'),
    alterations: { kb_header: (right) => ({ ...right, typ: 'JWT' }) },
  },
  {
    name: 'kb_typ_missing',
    description: 'the key binding has no typ',
    expect: inSdJwt('key_binding'),
    alterations: { kb_header: (right) => without(right, 'typ') },
  },
  {
    name: 'kb_alg_none',
    description: 'the key binding has alg none and no signature',
    expect: inSdJwt('key_binding'),
    alterations: {
      kb_header: (right) => ({ ...right, alg: 'none' }),
      kb_jwt: (right) => withSignature(right, new Uint8Array(0)),
    },
  },
  {
    name: 'kb_hs256',
    description: "the key binding is an HMAC with the holder's public key as its secret",
    expect: inSdJwt('key_binding'),
    alterations: {
      kb_header: (right) => ({ ...right, alg: 'HS256' }),
      kb_jwt: (right, { holder_key }) => macWith(right, holder_key.public_key),
    },
  },
  {
    name: 'kb_alg_other_curve',
    description: "the algorithm that the key binding names does not fit the curve of the holder's key",
    expect: inSdJwt('key_binding'),
    alterations: { kb_header: (right) => ({ ...right, alg: 'EdDSA' }) },
  },
  {
    name: 'kb_nonce',
    description: 'the key binding has the nonce of another session',
    expect: inSdJwt('key_binding_nonce'),
    alterations: {
      kb_payload: (right) => ({ ...right, nonce: 'nonce-of-another-session-0000000000000000000' }),
    },
  },
  {
    name: 'kb_nonce_missing',
    description: 'the key binding has no nonce',
    expect: inSdJwt('key_binding_nonce'),
    alterations: { kb_payload: (right) => without(right, 'nonce') },
  },
  {
    name: 'kb_audience',
    description: 'the key binding was made for another verifier',
    expect: inSdJwt('key_binding_audience'),
    alterations: { kb_payload: (right) => ({ ...right, aud: 'x509_san_dns:elsewhere.example' }) },
  },
  {
    name: 'kb_audience_missing',
    description: 'the key binding names no verifier',
    expect: inSdJwt('key_binding_audience'),
    alterations: { kb_payload: (right) => without(right, 'aud') },
  },
  {
    name: 'kb_audience_prefix',
    description: 'the key binding names the verifier without the prefix of its client identifier',
    expect: inSdJwt('key_binding_audience'),
    alterations: {
      kb_payload: (right, { request }) => ({
        ...right,
        aud: request.client_id.slice(request.client_id.indexOf(':') + 1),
      }),
    },
  },
  {
    name: 'kb_audience_list',
    description: 'the key binding names the verifier among others',
    expect: inSdJwt('key_binding_audience'),
    alterations: {
      kb_payload: (right, { request }) => ({
        ...right,
        aud: [request.client_id, 'x509_san_dns:elsewhere.example'],
      }),
    },
  },
  {
    name: 'kb_iat_past',
    description: 'the key binding was made a year ago',
    expect: inSdJwt('key_binding_time'),
    alterations: { kb_payload: (right) => ({ ...right, iat: Number(right['iat']) - year }) },
  },
  {
    name: 'kb_iat_future',
    description: 'the key binding will be made in a year',
    expect: inSdJwt('key_binding_time'),
    alterations: { kb_payload: (right) => ({ ...right, iat: Number(right['iat']) + year }) },
  },
  {
    name: 'kb_iat_missing',
    description: 'the key binding does not say when it was made',
    expect: inSdJwt('key_binding_time'),
    alterations: { kb_payload: (right) => without(right, 'iat') },
  },
  {
    name: 'kb_lapsed',
    description: 'the key binding says itself that it has lapsed',
    expect: inSdJwt('key_binding_time'),
    alterations: { kb_payload: (right) => ({ ...right, exp: Number(right['iat']) - year }) },
  },
  {
    name: 'kb_sd_hash',
    description: 'the key binding covers other disclosures',
    expect: inSdJwt('key_binding_hash'),
    alterations: {
      kb_payload: (right) => ({ ...right, sd_hash: 'hash-of-other-disclosures-00000000000000000' }),
    },
  },
  {
    name: 'kb_sd_hash_missing',
    description: 'the key binding covers no disclosures',
    expect: inSdJwt('key_binding_hash'),
    alterations: { kb_payload: (right) => without(right, 'sd_hash') },
  },
  {
    name: 'cnf_missing',
    description: 'the document is bound to no key',
    expect: inSdJwt('holder_key'),
    alterations: { issuer_payload: (right) => without(right, 'cnf') },
  },
  {
    name: 'holder_private_key',
    description: "the document holds the holder's private key",
    expect: inBoth('holder_key'),
    alterations: {
      issuer_payload: (right, { holder_key }) => ({
        ...right,
        cnf: { jwk: { ...publicJwk(holder_key), d: privateScalar(holder_key) } },
      }),
      mso: (right, { holder_key }) =>
        withMember(right, 'deviceKeyInfo', {
          deviceKey: coseKey(holder_key).set(-4, Buffer.from(privateScalar(holder_key), 'base64url')),
        }),
    },
  },
]

function privateScalar({ private_key }: SigningKey): string {
  return private_key.export({ format: 'jwk' }).d ?? ''
}

function macWith(jws: string, secret: KeyObject): string {
  const input = jws.slice(0, jws.lastIndexOf('.'))
  const pem = secret.export({ format: 'pem', type: 'spki' })
  return withSignature(jws, createHmac('sha256', pem).update(input).digest())
}
