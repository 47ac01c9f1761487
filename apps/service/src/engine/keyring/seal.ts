import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const nonce_bytes = 12
const tag_bytes = 16
const keyId_bytes = 4

/** The sealed value was altered, or is opened for a different use than it was sealed for. */
export class UnsealError extends Error {
  override name = 'UnsealError'
}

export type SealingKey = { id: number; key: Buffer }

/** AES-256-GCM: key id, nonce, ciphertext, tag. The use is authenticated, so a sealed value cannot be moved to another column. */
export function seal({ id, key }: SealingKey, use: string, plain: Uint8Array): Buffer {
  const nonce = randomBytes(nonce_bytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(use))
  const head = Buffer.alloc(keyId_bytes)
  head.writeUInt32BE(id)
  return Buffer.concat([head, nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** The id of the key that sealed a value. */
export function readKeyId(sealed: Uint8Array): number {
  if (sealed.length < keyId_bytes + nonce_bytes + tag_bytes)
    throw new UnsealError('too short to be a sealed value')
  return Buffer.from(sealed).readUInt32BE(0)
}

export function unseal(key: Buffer, use: string, sealed: Uint8Array): Buffer {
  const bytes = Buffer.from(sealed)
  const nonce = bytes.subarray(keyId_bytes, keyId_bytes + nonce_bytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tag_bytes })
    .setAAD(Buffer.from(use))
    .setAuthTag(bytes.subarray(-tag_bytes))
  try {
    return Buffer.concat([
      decipher.update(bytes.subarray(keyId_bytes + nonce_bytes, -tag_bytes)),
      decipher.final(),
    ])
  } catch {
    // node:crypto reports only that the tag does not match.
    throw new UnsealError(`not sealed for ${use} under this key`)
  }
}
