import { generateSigningKey } from '../keys/signing-key.ts'
import { flipBit, flipSignature, withHmacSignature, withSignature } from './alteration-helpers.ts'
import { inBoth, inSdJwt, type Fault } from './fault.ts'

/** COSE algorithm numbers (RFC 9053). */
const hmac256 = 5
const eddsa = -8

/** Faults in the issuer's signature. */
export const issuerSignatureFaults: readonly Fault[] = [
  {
    name: 'issuer_signature',
    description: "one bit of the issuer's signature is flipped",
    expect: inBoth('issuer_signature'),
    alterations: {
      issuer_jwt: flipSignature,
      issuer_auth: (original) => ({ ...original, signature: flipBit(original.signature) }),
    },
  },
  {
    name: 'issuer_signature_zero',
    description: "the issuer's signature is all zeros",
    expect: inBoth('issuer_signature'),
    alterations: {
      issuer_jwt: (original) => withSignature(original, new Uint8Array(64)),
      issuer_auth: (original) => ({ ...original, signature: new Uint8Array(64) }),
    },
  },
  {
    name: 'issuer_other_key',
    description: 'the document is signed with a key that does not match the certificate',
    expect: inBoth('issuer_signature'),
    alterations: { signer: ({ chain, key }) => ({ chain, key: generateSigningKey(key.algorithm) }) },
  },
  {
    name: 'issuer_alg_none',
    description: 'the algorithm is none, or is missing',
    expect: inBoth('issuer_algorithm'),
    alterations: {
      issuer_header: (original) => ({ ...original, alg: 'none' }),
      issuer_jwt: (original) => withSignature(original, new Uint8Array(0)),
      issuer_cose: (original) => ({ ...original, protected_header: new Map() }),
    },
  },
  {
    name: 'issuer_hs256',
    description: "the issuer's signature is an HMAC with the public key of its certificate as the secret",
    expect: inBoth('issuer_algorithm'),
    alterations: {
      issuer_header: (original) => ({ ...original, alg: 'HS256' }),
      issuer_jwt: (original, { issuer, credential }) =>
        withHmacSignature(original, issuer.signers[credential.document].key.public_key),
      issuer_cose: (original) => ({ ...original, protected_header: new Map([[1, hmac256]]) }),
    },
  },
  {
    name: 'issuer_alg_other_curve',
    description: "the algorithm of the issuer's signature does not match the key's curve",
    expect: inBoth('issuer_algorithm'),
    alterations: {
      issuer_header: (original) => ({ ...original, alg: 'EdDSA' }),
      issuer_cose: (original) => ({ ...original, protected_header: new Map([[1, eddsa]]) }),
    },
  },
  {
    name: 'issuer_typ',
    description: 'the typ of the document is JWT',
    expect: inSdJwt('credential_encoding'),
    alterations: { issuer_header: (original) => ({ ...original, typ: 'JWT' }) },
  },
  {
    name: 'issuer_crit',
    description: 'the header marks an unknown extension as critical',
    expect: inBoth('credential_encoding'),
    alterations: {
      issuer_header: (original) => ({ ...original, crit: ['unknown'], unknown: true }),
      issuer_cose: (original) => ({
        ...original,
        protected_header: new Map([...original.protected_header, [2, ['unknown']], ['unknown', true]]),
      }),
    },
  },
]
