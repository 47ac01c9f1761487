import { createECDH, hash } from 'node:crypto'
import { InputError } from '../input-error.ts'

/** The public key in `client_metadata` (OpenID4VP 1.0 §8.3). */
export type EncryptionJwk = {
  kty: 'EC'
  crv: 'P-256'
  x: string
  y: string
  kid: string
  use: 'enc'
  alg: 'ECDH-ES'
}

export type EncryptionKey = {
  jwk: EncryptionJwk
  /** RFC 7638, SHA-256, base64url. Also the `kid`. */
  thumbprint: string
  /** Computes the ECDH shared secret with the owner of this point. Throws an InputError if the point is not on the curve. */
  deriveSharedSecret: (x: Buffer, y: Buffer) => Buffer
}

const material_bytes = 48
const coordinate_bytes = 32
/** Precedes an uncompressed point (SEC 1 §2.3.3). */
const uncompressedPrefix = Buffer.of(4)
/**
 * Shared by all keys. With one object per key, the garbage collector would free thousands at a time, at 3 us each, and
 * block everything else meanwhile.
 */
const ecdh = createECDH('prime256v1')
const groupOrder = 0xffffffff_00000000_ffffffff_ffffffff_bce6faad_a7179e84_f3b9cac2_fc632551n

/**
 * Derives the verification's key from 48 secret bytes. The same bytes give the same key, so no key is stored. The 128 extra bits
 * keep the remainder unbiased (FIPS 186-5 A.2.1).
 */
export function makeEncryptionKey(material: Uint8Array): EncryptionKey {
  if (material.length !== material_bytes)
    throw new RangeError(`an encryption key takes ${material_bytes} bytes`)
  const wide = BigInt(`0x${Buffer.from(material).toString('hex')}`)
  const scalar = (wide % (groupOrder - 1n)) + 1n
  const d = Buffer.from(scalar.toString(16).padStart(2 * coordinate_bytes, '0'), 'hex')

  ecdh.setPrivateKey(d)
  const point = ecdh.getPublicKey()
  const x = point.toString('base64url', 1, 1 + coordinate_bytes)
  const y = point.toString('base64url', 1 + coordinate_bytes)

  const thumbprint = hash('sha256', JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }), 'base64url')
  return {
    jwk: { kty: 'EC', crv: 'P-256', x, y, kid: thumbprint, use: 'enc', alg: 'ECDH-ES' },
    thumbprint,
    deriveSharedSecret(theirX, theirY) {
      try {
        ecdh.setPrivateKey(d)
        return ecdh.computeSecret(Buffer.concat([uncompressedPrefix, theirX, theirY]))
      } catch {
        // OpenSSL throws if the point is not on the curve.
        throw new InputError('the ephemeral key is not a point on the curve')
      }
    },
  }
}
