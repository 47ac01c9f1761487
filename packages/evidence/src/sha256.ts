import { hmac } from '@noble/hashes/hmac.js'
import { sha256 as hasher } from '@noble/hashes/sha2.js'
import { toUtf8 } from './bytes.ts'

/** A SHA-256 hash of 32 bytes. Outside the process it is lower-case hexadecimal, or base64 in a checkpoint. */
export type Hash = Uint8Array

export const hash_bytes = 32

/** The hash of the concatenated parts. Web Cryptography is asynchronous, and a chain takes hundreds of thousands of small hashes. */
export function sha256(...parts: readonly (string | Uint8Array)[]): Hash {
  const hash = hasher.create()
  for (const part of parts) hash.update(typeof part === 'string' ? toUtf8(part) : part)
  return hash.digest()
}

export function hmacSha256(key: Uint8Array, message: string): Hash {
  return hmac(hasher, key, toUtf8(message))
}
