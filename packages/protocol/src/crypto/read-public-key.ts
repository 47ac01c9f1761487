import { createPublicKey, type KeyObject } from 'node:crypto'
import type { CborMap } from '../cbor/read.ts'
import { InputError } from '../input-error.ts'
import type { Curve } from './algorithms.ts'
import { decodeBase64url } from './base64.ts'
import type { PublicKey } from './verify-signature.ts'

type CurveParameters = {
  curve: Curve
  kty: 'EC' | 'OKP'
  crv: readonly string[]
  bytes: number
  spki_prefix: Buffer
}

/**
 * By JOSE name (RFC 7518 §6.2.1.1, RFC 8037) and COSE id (RFC 9053 §7.1; 256 to 259 of the IANA registry), with the DER that
 * precedes a point in an SPKI (RFC 5480, RFC 5639, RFC 8410). No JOSE name is registered for the Brainpool curves: `BP-256` is
 * the name of the German health network and of several libraries, the curve's own name that of others. Both are read.
 */
const curves: (CurveParameters & { cose: number })[] = [
  {
    curve: 'prime256v1',
    kty: 'EC',
    crv: ['P-256'],
    cose: 1,
    bytes: 32,
    spki_prefix: Buffer.from('3059301306072a8648ce3d020106082a8648ce3d03010703420004', 'hex'),
  },
  {
    curve: 'secp384r1',
    kty: 'EC',
    crv: ['P-384'],
    cose: 2,
    bytes: 48,
    spki_prefix: Buffer.from('3076301006072a8648ce3d020106052b8104002203620004', 'hex'),
  },
  {
    curve: 'secp521r1',
    kty: 'EC',
    crv: ['P-521'],
    cose: 3,
    bytes: 66,
    spki_prefix: Buffer.from('30819b301006072a8648ce3d020106052b810400230381860004', 'hex'),
  },
  {
    curve: 'brainpoolP256r1',
    kty: 'EC',
    crv: ['BP-256', 'brainpoolP256r1'],
    cose: 256,
    bytes: 32,
    spki_prefix: Buffer.from('305a301406072a8648ce3d020106092b240303020801010703420004', 'hex'),
  },
  {
    curve: 'brainpoolP320r1',
    kty: 'EC',
    crv: ['BP-320', 'brainpoolP320r1'],
    cose: 257,
    bytes: 40,
    spki_prefix: Buffer.from('306a301406072a8648ce3d020106092b240303020801010903520004', 'hex'),
  },
  {
    curve: 'brainpoolP384r1',
    kty: 'EC',
    crv: ['BP-384', 'brainpoolP384r1'],
    cose: 258,
    bytes: 48,
    spki_prefix: Buffer.from('307a301406072a8648ce3d020106092b240303020801010b03620004', 'hex'),
  },
  {
    curve: 'brainpoolP512r1',
    kty: 'EC',
    crv: ['BP-512', 'brainpoolP512r1'],
    cose: 259,
    bytes: 64,
    spki_prefix: Buffer.from('30819b301406072a8648ce3d020106092b240303020801010d0381820004', 'hex'),
  },
  {
    curve: 'ed25519',
    kty: 'OKP',
    crv: ['Ed25519'],
    cose: 6,
    bytes: 32,
    spki_prefix: Buffer.from('302a300506032b6570032100', 'hex'),
  },
]
const coseKeyTypes = { OKP: 1, EC: 2 } as const

/** Members of a JWK with private or symmetric key material (RFC 7518 §6). */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const

/** Label of the private key in a COSE_Key (RFC 9053 §7.1). */
const cosePrivateKeyLabel = -4

/**
 * Reads a holder's key from a JWK. Only the members of the point are used (RFC 7800 §3.2). Other members (`kid`, `use`,
 * `alg`, `key_ops`) are ignored even if they contradict it: the curve alone determines the algorithm. A private key is
 * refused: everyone who saw the credential knows it, so it proves nothing.
 */
export function readJwk(jwk: Record<string, unknown>): PublicKey {
  const parameters = curves.find(
    ({ kty, crv }) => jwk['kty'] === kty && crv.some((name) => name === jwk['crv']),
  )
  if (parameters === undefined) throw new InputError('the type or curve of the key is not accepted')

  if (privateMembers.some((member) => Object.hasOwn(jwk, member)))
    throw new InputError('the key is a private key')

  const [x, y] = [jwk['x'], jwk['y']].map((text) =>
    typeof text === 'string' ? decodeBase64url(text) : undefined,
  )
  return importKey(parameters, x, y)
}

/** Reads a device key of an mdoc (RFC 9052 §7). Compressed points are not accepted. */
export function readCoseKey(key: CborMap): PublicKey {
  const parameters = curves.find(({ kty, cose }) => key.get(1) === coseKeyTypes[kty] && key.get(-1) === cose)
  if (parameters === undefined) throw new InputError('the type or curve of the key is not accepted')

  if (key.has(cosePrivateKeyLabel)) throw new InputError('the key is a private key')

  const [x, y] = [key.get(-2), key.get(-3)].map((value) => (value instanceof Uint8Array ? value : undefined))
  return importKey(parameters, x, y)
}

function importKey(
  { kty, curve, bytes, spki_prefix: spki }: CurveParameters,
  x?: Uint8Array,
  y?: Uint8Array,
): PublicKey {
  const point = (kty === 'EC' ? [x, y] : [x]).map((coordinate) => {
    if (coordinate?.length !== bytes)
      throw new InputError('a coordinate of the key is missing or does not have full length')
    return coordinate
  })
  return { key: importSpki(Buffer.concat([spki, ...point])), curve }
}

/** Imports from PEM: given an object, `node:crypto` detects its type by catching errors, which doubles the time. */
function importSpki(spki: Buffer): KeyObject {
  try {
    return createPublicKey(
      `-----BEGIN PUBLIC KEY-----\n${spki.toString('base64')}\n-----END PUBLIC KEY-----\n`,
    )
  } catch {
    // node:crypto throws if the point is not on the curve.
    throw new InputError('the key is not a point on its curve')
  }
}
