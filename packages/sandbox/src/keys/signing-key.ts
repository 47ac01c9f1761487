import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto'
import type { Cbor } from '../cbor/encode.ts'

/**
 * The signature algorithms of issuers and holders (RFC 7518 §3.1, RFC 8037; RFC 9053 §2 and RFC 9864 for COSE). JOSE has no
 * registered names for the Brainpool curves, so their JWTs use the names of COSE.
 */
export type Algorithm = keyof typeof ecdsaAlgorithms | 'EdDSA'

export type SigningKey = {
  readonly algorithm: Algorithm
  readonly private_key: KeyObject
  readonly public_key: KeyObject
}

export type PublicJwk = { kty: string; crv: string; x: string; y?: string }

const ecdsaAlgorithms = {
  ES256: { curve: 'prime256v1', crv: 'P-256', bytes: 32, hash: 'sha256', cose: -7, cose_curve: 1 },
  ES384: { curve: 'secp384r1', crv: 'P-384', bytes: 48, hash: 'sha384', cose: -35, cose_curve: 2 },
  ES512: { curve: 'secp521r1', crv: 'P-521', bytes: 66, hash: 'sha512', cose: -36, cose_curve: 3 },
  ESB256: { curve: 'brainpoolP256r1', crv: 'BP-256', bytes: 32, hash: 'sha256', cose: -265, cose_curve: 256 },
  ESB320: { curve: 'brainpoolP320r1', crv: 'BP-320', bytes: 40, hash: 'sha384', cose: -266, cose_curve: 257 },
  ESB384: { curve: 'brainpoolP384r1', crv: 'BP-384', bytes: 48, hash: 'sha384', cose: -267, cose_curve: 258 },
  ESB512: { curve: 'brainpoolP512r1', crv: 'BP-512', bytes: 64, hash: 'sha512', cose: -268, cose_curve: 259 },
} as const

const eddsaAlgorithm = { cose: -8, cose_curve: 6 } as const

export function generateSigningKey(algorithm: Algorithm = 'ES256'): SigningKey {
  const { privateKey, publicKey } =
    algorithm === 'EdDSA'
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('ec', { namedCurve: ecdsaAlgorithms[algorithm].curve })
  return { algorithm, private_key: privateKey, public_key: publicKey }
}

/** Signs as JOSE and COSE do: r and s concatenated, not DER-encoded as in X.509. */
export function signRaw(key: SigningKey, bytes: Uint8Array): Uint8Array {
  return sign(findHash(key.algorithm), bytes, { key: key.private_key, dsaEncoding: 'ieee-p1363' })
}

/** Verifies what `signRaw` signs. False if the algorithm is not that of the key's curve. */
export function verifyRaw(
  key: KeyObject,
  { algorithm, bytes, signature }: { algorithm: unknown; bytes: Uint8Array; signature: Uint8Array },
): boolean {
  const expected = findAlgorithm(key)
  if (algorithm !== expected) return false
  return verify(findHash(expected), bytes, { key, dsaEncoding: 'ieee-p1363' }, signature)
}

/** Signs as X.509 does: r and s DER-encoded. */
export function signDer(key: SigningKey, bytes: Uint8Array): Uint8Array {
  return sign(findHash(key.algorithm), bytes, key.private_key)
}

export function coseAlgorithm(algorithm: Algorithm): number {
  return algorithm === 'EdDSA' ? eddsaAlgorithm.cose : ecdsaAlgorithms[algorithm].cose
}

/** The public key with its required members only, as `cnf` needs it. */
export function toPublicJwk(key: SigningKey): PublicJwk {
  if (key.algorithm === 'EdDSA') {
    const { x = '' } = key.public_key.export({ format: 'jwk' })
    return { kty: 'OKP', crv: 'Ed25519', x }
  }
  // `node:crypto` exports no JWK of a Brainpool key. The point is the end of the SPKI, uncompressed (RFC 5480 §2.2).
  const { crv, bytes } = ecdsaAlgorithms[key.algorithm]
  const spki = key.public_key.export({ format: 'der', type: 'spki' })
  return {
    kty: 'EC',
    crv,
    x: spki.subarray(-2 * bytes, -bytes).toString('base64url'),
    y: spki.subarray(-bytes).toString('base64url'),
  }
}

/** The public key as a COSE_Key (RFC 9053 §7). */
export function toCoseKey(key: SigningKey): Map<Cbor, Cbor> {
  const { x, y } = toPublicJwk(key)
  const curve =
    key.algorithm === 'EdDSA' ? eddsaAlgorithm.cose_curve : ecdsaAlgorithms[key.algorithm].cose_curve
  const members = new Map<Cbor, Cbor>([
    [1, y === undefined ? 1 : 2],
    [-1, curve],
    [-2, Buffer.from(x, 'base64url')],
  ])
  if (y !== undefined) members.set(-3, Buffer.from(y, 'base64url'))
  return members
}

export function exportPem(key: SigningKey): string {
  return key.private_key.export({ format: 'pem', type: 'pkcs8' }).toString()
}

/** Reads a PKCS#8 key and derives the algorithm from its curve. */
export function importPem(pem: string): SigningKey {
  const privateKey = createPrivateKey(pem)
  return {
    algorithm: findAlgorithm(privateKey),
    private_key: privateKey,
    public_key: createPublicKey(privateKey),
  }
}

const algorithmsByCurve = new Map<string | undefined, Algorithm>(
  // The entries of an object have no more names than its type.
  (Object.entries(ecdsaAlgorithms) as [keyof typeof ecdsaAlgorithms, { curve: string }][]).map(
    ([name, { curve }]) => [curve, name],
  ),
)

function findAlgorithm(key: KeyObject): Algorithm {
  if (key.asymmetricKeyType === 'ed25519') return 'EdDSA'
  const algorithm = algorithmsByCurve.get(key.asymmetricKeyDetails?.namedCurve)
  if (algorithm === undefined) throw new TypeError('The sandbox does not support the curve of this key.')
  return algorithm
}

function findHash(algorithm: Algorithm): string | undefined {
  return algorithm === 'EdDSA' ? undefined : ecdsaAlgorithms[algorithm].hash
}
