import { createCipheriv, createDecipheriv } from 'node:crypto'
import { type Keyring, deriveBytes } from '../../engine/keyring/index.ts'

const use = 'expected values'
const key_bytes = 32
const nonce_bytes = 12
const tag_bytes = 16
const cipher = 'aes-256-gcm'

/**
 * Encrypts what a merchant expects, under a key that only this verification's seed and the key ring together give. The response, a
 * cancellation and the expiry delete both the seed and this. A hash would not hide a birth date: there are fewer than 50 000 to try.
 */
export function sealExpected(
  { derive }: Pick<Keyring, 'derive'>,
  seed: Uint8Array,
  expected: Readonly<Record<string, string>>,
): Buffer {
  // The key is used once, so its nonce may be derived with it.
  const material = derive(use, seed, key_bytes + nonce_bytes)
  const encrypting = createCipheriv(cipher, material.subarray(0, key_bytes), material.subarray(key_bytes))
  return Buffer.concat([
    encrypting.update(JSON.stringify(expected), 'utf8'),
    encrypting.final(),
    encrypting.getAuthTag(),
  ])
}

/** Only the thread that compares calls it. */
export function openExpected(
  derivation_key: Uint8Array,
  seed: Uint8Array,
  sealed: Uint8Array,
): Record<string, string> {
  const material = deriveBytes(derivation_key, { use, seed, bytes: key_bytes + nonce_bytes })
  const decrypting = createDecipheriv(cipher, material.subarray(0, key_bytes), material.subarray(key_bytes))
  decrypting.setAuthTag(sealed.subarray(-tag_bytes))
  const text = Buffer.concat([decrypting.update(sealed.subarray(0, -tag_bytes)), decrypting.final()])
  return JSON.parse(text.toString('utf8')) as Record<string, string> // written by `sealExpected`
}
