import { createDecipheriv, createHmac, createSecretKey } from 'node:crypto'
import { InputError } from '../input-error.ts'
import type { EncryptionKey } from '../request/make-encryption-key.ts'

export type HpkeMessage = {
  /** The sender's encapsulated key: an uncompressed point on P-256. */
  enc: Uint8Array
  /** With the tag at its end. */
  ciphertext: Uint8Array
  info: Uint8Array
  aad?: Uint8Array
}

const kemId = 0x0010
const kdfId = 0x0001
const aeadId = 0x0001
/** RFC 9180 §4.1 and §5.1: they separate the two key derivations. */
const kemSuite = Buffer.concat([Buffer.from('KEM'), encodeUint16(kemId)])
const hpkeSuite = Buffer.concat([Buffer.from('HPKE'), ...[kemId, kdfId, aeadId].map(encodeUint16)])

const versionLabel = Buffer.from('HPKE-v1')
const empty = Buffer.alloc(0)
const baseMode = Buffer.of(0)
const uncompressedPrefix = 4
const coordinate_bytes = 32
const enc_bytes = 1 + 2 * coordinate_bytes
const hash_bytes = 32
const key_bytes = 16
const nonce_bytes = 12
const tag_bytes = 16

/**
 * Opens the first message of HPKE in base mode with DHKEM(P-256, HKDF-SHA256), HKDF-SHA256 and AES-128-GCM (RFC 9180), the
 * only suite of ISO/IEC TS 18013-7 Annex C. Throws an InputError.
 */
export function openHpke(
  { enc, ciphertext, info, aad = empty }: HpkeMessage,
  recipient: EncryptionKey,
): Buffer {
  const { key, nonce } = scheduleKey(decapsulate(enc, recipient), info)
  if (ciphertext.length < tag_bytes) throw new InputError('the ciphertext of the response is too short')
  const at = ciphertext.length - tag_bytes
  const decipher = createDecipheriv('aes-128-gcm', createSecretKey(key), nonce, { authTagLength: tag_bytes })
    .setAAD(aad)
    .setAuthTag(ciphertext.subarray(at))
  try {
    return Buffer.concat([decipher.update(ciphertext.subarray(0, at)), decipher.final()])
  } catch {
    // The tag does not match: another key, another session transcript, or altered content.
    throw new InputError('the response cannot be decrypted with the key of this verification')
  }
}

/** The shared secret of the KEM (§4.1). */
function decapsulate(enc: Uint8Array, { jwk, deriveSharedSecret }: EncryptionKey): Buffer {
  if (enc.length !== enc_bytes || enc[0] !== uncompressedPrefix)
    throw new InputError('the encapsulated key of the response is not an uncompressed point on P-256')
  const point = Buffer.from(enc)
  const dh = deriveSharedSecret(point.subarray(1, 1 + coordinate_bytes), point.subarray(1 + coordinate_bytes))
  const recipientPoint = Buffer.concat([
    Buffer.of(uncompressedPrefix),
    Buffer.from(jwk.x, 'base64url'),
    Buffer.from(jwk.y, 'base64url'),
  ])
  const prk = extract(kemSuite, { salt: empty, label: 'eae_prk', ikm: dh })
  const context = Buffer.concat([point, recipientPoint])
  return expand(kemSuite, { prk, label: 'shared_secret', info: context, bytes: hash_bytes })
}

/** Key and nonce of the first message, without a pre-shared key (§5.1). */
function scheduleKey(sharedSecret: Buffer, info: Uint8Array): { key: Buffer; nonce: Buffer } {
  const context = Buffer.concat([
    baseMode,
    extract(hpkeSuite, { salt: empty, label: 'psk_id_hash', ikm: empty }),
    extract(hpkeSuite, { salt: empty, label: 'info_hash', ikm: info }),
  ])
  const prk = extract(hpkeSuite, { salt: sharedSecret, label: 'secret', ikm: empty })
  return {
    key: expand(hpkeSuite, { prk, label: 'key', info: context, bytes: key_bytes }),
    nonce: expand(hpkeSuite, { prk, label: 'base_nonce', info: context, bytes: nonce_bytes }),
  }
}

type ExtractInput = { salt: Buffer; label: string; ikm: Uint8Array }

/** LabeledExtract (§4). */
function extract(suite: Buffer, { salt, label, ikm }: ExtractInput): Buffer {
  return createHmac('sha256', salt)
    .update(Buffer.concat([versionLabel, suite, Buffer.from(label), ikm]))
    .digest()
}

type ExpandInput = { prk: Buffer; label: string; info: Uint8Array; bytes: number }

/** LabeledExpand (§4). One block of HKDF is enough for every length that this suite needs. */
function expand(suite: Buffer, { prk, label, info, bytes }: ExpandInput): Buffer {
  const labeledInfo = Buffer.concat([encodeUint16(bytes), versionLabel, suite, Buffer.from(label), info])
  return createHmac('sha256', prk).update(labeledInfo).update(Buffer.of(1)).digest().subarray(0, bytes)
}

function encodeUint16(value: number): Buffer {
  return Buffer.of(value >> 8, value & 0xff)
}
