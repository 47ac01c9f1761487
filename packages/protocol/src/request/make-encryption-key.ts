import { createECDH, createHash, createPrivateKey, type KeyObject } from 'node:crypto'

/** The public half as it stands in `client_metadata` (OpenID4VP 1.0 §8.3). */
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
  /** Made when it is asked for: whoever builds a request needs the public half, and making this takes twice as long. */
  readonly private_key: KeyObject
  jwk: EncryptionJwk
  /** RFC 7638, SHA-256, base64url. It is the `kid` as well. */
  thumbprint: string
}

const MATERIAL_BYTES = 48
const COORDINATE_BYTES = 32
const groupOrder = 0xffffffff_00000000_ffffffff_ffffffff_bce6faad_a7179e84_f3b9cac2_fc632551n

/**
 * The session's own key, from 48 secret bytes: the same bytes give the same key, so that none is stored. 128 bits more than
 * the group has keep the remainder unbiased (FIPS 186-5 A.2.1).
 */
export function makeEncryptionKey(material: Uint8Array): EncryptionKey {
  if (material.length !== MATERIAL_BYTES)
    throw new RangeError(`an encryption key takes ${MATERIAL_BYTES} bytes`)
  const wide = BigInt(`0x${Buffer.from(material).toString('hex')}`)
  const scalar = (wide % (groupOrder - 1n)) + 1n
  const d = Buffer.from(scalar.toString(16).padStart(2 * COORDINATE_BYTES, '0'), 'hex')

  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(d)
  const point = ecdh.getPublicKey()
  const x = point.toString('base64url', 1, 1 + COORDINATE_BYTES)
  const y = point.toString('base64url', 1 + COORDINATE_BYTES)

  const thumbprint = createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url')
  return {
    get private_key() {
      return createPrivateKey({
        key: { kty: 'EC', crv: 'P-256', x, y, d: d.toString('base64url') },
        format: 'jwk',
      })
    },
    jwk: { kty: 'EC', crv: 'P-256', x, y, kid: thumbprint, use: 'enc', alg: 'ECDH-ES' },
    thumbprint,
  }
}
