import {
  createCipheriv,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'

export type HpkeInput = {
  /** The recipient's P-256 key. */
  recipient: KeyObject
  info: Uint8Array
  aad: Uint8Array
  plaintext: Uint8Array
}

/** Private key of the encapsulation. Only a test with published values gives one. */
export type HpkeOptions = { ephemeral_key?: KeyObject }

/** DHKEM(P-256, HKDF-SHA256), HKDF-SHA256 and AES-128-GCM (RFC 9180 §7). */
const kemId = 0x0010
const kdfId = 0x0001
const aeadId = 0x0001
const kemSuite = Buffer.concat([Buffer.from('KEM'), twoBytes(kemId)])
const hpkeSuite = Buffer.concat([Buffer.from('HPKE'), twoBytes(kemId), twoBytes(kdfId), twoBytes(aeadId)])
const baseMode = Uint8Array.of(0)
const empty = new Uint8Array(0)

/** Encrypts one message to a public key (RFC 9180 §6.1, base mode). `enc` is the ephemeral public key. */
export function sealHpke(
  { recipient, info, aad, plaintext }: HpkeInput,
  { ephemeral_key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }: HpkeOptions = {},
): { enc: Uint8Array; ciphertext: Uint8Array } {
  const enc = toPoint(createPublicKey(ephemeral_key))
  const dh = diffieHellman({ privateKey: ephemeral_key, publicKey: recipient })
  // §4.1: the key encapsulation.
  const eaePrk = labeledExtract(kemSuite, empty, 'eae_prk', dh)
  const kemContext = Buffer.concat([enc, toPoint(recipient)])
  const sharedSecret = labeledExpand(kemSuite, eaePrk, {
    label: 'shared_secret',
    info: kemContext,
    length: 32,
  })
  // §5.1: the key schedule, without a pre-shared key.
  const context = Buffer.concat([
    baseMode,
    labeledExtract(hpkeSuite, empty, 'psk_id_hash', empty),
    labeledExtract(hpkeSuite, empty, 'info_hash', info),
  ])
  const secret = labeledExtract(hpkeSuite, sharedSecret, 'secret', empty)
  const key = labeledExpand(hpkeSuite, secret, { label: 'key', info: context, length: 16 })
  const nonce = labeledExpand(hpkeSuite, secret, { label: 'base_nonce', info: context, length: 12 })
  const cipher = createCipheriv('aes-128-gcm', key, nonce).setAAD(aad)
  return { enc, ciphertext: Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]) }
}

/** An uncompressed point (RFC 9180 §7.1.1). */
function toPoint(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([Uint8Array.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}

/** RFC 9180 §4, with HKDF-Extract of RFC 5869. */
function labeledExtract(suite: Uint8Array, salt: Uint8Array, label: string, input: Uint8Array): Buffer {
  return createHmac('sha256', salt).update('HPKE-v1').update(suite).update(label).update(input).digest()
}

/** RFC 9180 §4, with the first block of HKDF-Expand of RFC 5869: nothing here is longer than 32 bytes. */
function labeledExpand(
  suite: Uint8Array,
  key: Uint8Array,
  { label, info, length }: { label: string; info: Uint8Array; length: number },
): Buffer {
  const block = createHmac('sha256', key)
    .update(twoBytes(length))
    .update('HPKE-v1')
    .update(suite)
    .update(label)
    .update(info)
    .update(Uint8Array.of(1))
    .digest()
  return block.subarray(0, length)
}

function twoBytes(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value & 0xff)
}
