import { createCipheriv, createECDH, createHmac, randomBytes, type ECDH } from 'node:crypto'
import type { EncryptionKey } from '../src/request/make-encryption-key.ts'

export type SealOptions = { info: Uint8Array; aad?: Uint8Array; ephemeral_key?: Uint8Array }

const hmac = (key: Uint8Array, ...parts: (string | Uint8Array)[]): Buffer =>
  parts.reduce((mac, part) => mac.update(part), createHmac('sha256', key)).digest()
const nothing = new Uint8Array()
const kem = Buffer.from('KEM\0\x10', 'latin1')
const suite = Buffer.from('HPKE\0\x10\0\x01\0\x01', 'latin1')

/**
 * The sender of RFC 9180 in base mode, with the suite of Annex C. Shares no code with the verifier.
 */
export function sealHpke(
  plaintext: Uint8Array,
  recipient: EncryptionKey,
  { info, aad = nothing, ephemeral_key = randomBytes(32) }: SealOptions,
): { enc: Buffer; ciphertext: Buffer } {
  const ephemeral = createECDH('prime256v1')
  ephemeral.setPrivateKey(ephemeral_key)
  const enc = ephemeral.getPublicKey()
  const secret = encapsulate(ephemeral, recipient)

  const pskIdHash = hmac(nothing, 'HPKE-v1', suite, 'psk_id_hash')
  const infoHash = hmac(nothing, 'HPKE-v1', suite, 'info_hash', info)
  const context = Buffer.concat([Buffer.of(0), pskIdHash, infoHash])
  const prk = hmac(secret, 'HPKE-v1', suite, 'secret')
  const key = hmac(prk, Buffer.of(0, 16), 'HPKE-v1', suite, 'key', context, Buffer.of(1)).subarray(0, 16)
  const nonce = hmac(prk, Buffer.of(0, 12), 'HPKE-v1', suite, 'base_nonce', context, Buffer.of(1))

  const cipher = createCipheriv('aes-128-gcm', key, nonce.subarray(0, 12)).setAAD(aad)
  const encrypted = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return { enc, ciphertext: Buffer.concat([encrypted, cipher.getAuthTag()]) }
}

function encapsulate(ephemeral: ECDH, { jwk }: EncryptionKey): Buffer {
  const point = Buffer.concat([
    Buffer.of(4),
    Buffer.from(jwk.x, 'base64url'),
    Buffer.from(jwk.y, 'base64url'),
  ])
  const prk = hmac(nothing, 'HPKE-v1', kem, 'eae_prk', ephemeral.computeSecret(point))
  const context = Buffer.concat([ephemeral.getPublicKey(), point])
  return hmac(prk, Buffer.of(0, 32), 'HPKE-v1', kem, 'shared_secret', context, Buffer.of(1))
}
