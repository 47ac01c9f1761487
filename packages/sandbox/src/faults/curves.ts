import { toCoseKey, generateSigningKey, toPublicJwk } from '../keys/signing-key.ts'
import { withMember } from './alteration-helpers.ts'
import { withSignerCertificate } from './certificates.ts'
import { inBoth, type Fault } from './fault.ts'

/** COSE algorithm numbers (RFC 9864): ECDSA on brainpoolP256r1 and on P-256. */
const esb256 = -265
const esp256 = -9

/** Faults of algorithms and keys on the Brainpool curves. */
export const curveFaults: readonly Fault[] = [
  {
    name: 'issuer_alg_brainpool',
    description: "the algorithm of the issuer's signature is for brainpoolP256r1, its key is on P-256",
    expect: inBoth('issuer_algorithm'),
    alterations: {
      issuer_header: (original) => ({ ...original, alg: 'ESB256' }),
      issuer_cose: (original) => ({ ...original, protected_header: new Map([[1, esb256]]) }),
    },
  },
  {
    name: 'issuer_brainpool_other_alg',
    description: "the issuer's key is on brainpoolP256r1, the algorithm of its signature is for P-256",
    expect: inBoth('issuer_algorithm'),
    alterations: {
      ...withSignerCertificate((draft) => ({ ...draft, algorithm: 'ESB256' })),
      issuer_header: (original) => ({ ...original, alg: 'ES256' }),
      issuer_cose: (original) => ({ ...original, protected_header: new Map([[1, esp256]]) }),
    },
  },
  {
    name: 'holder_alg_brainpool',
    description:
      "the proof of possession names an algorithm for brainpoolP256r1, the holder's key is on P-256",
    expect: inBoth('key_binding', 'device_signature'),
    alterations: {
      kb_header: (original) => ({ ...original, alg: 'ESB256' }),
      device_cose: (original) => ({ ...original, protected_header: new Map([[1, esb256]]) }),
    },
  },
  {
    name: 'holder_key_off_curve',
    description: "the holder's key is not a point on its curve, brainpoolP256r1",
    expect: inBoth('holder_key'),
    alterations: {
      issuer_payload: (original) => ({
        ...original,
        cnf: {
          jwk: { ...toPublicJwk(generateSigningKey('ESB256')), y: otherCoordinate.toString('base64url') },
        },
      }),
      mso: (original) =>
        withMember(original, 'deviceKeyInfo', {
          deviceKey: toCoseKey(generateSigningKey('ESB256')).set(-3, otherCoordinate),
        }),
    },
  },
]

const otherCoordinate = Buffer.alloc(32, 1)
