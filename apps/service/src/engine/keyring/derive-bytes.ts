import { createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'

export type Derivation = { use: string; seed: Uint8Array; bytes: number }

const nonce_bytes = 16
const hash_bytes = 32
/** Seeds that this cell draws have 32 bytes; a carried one is longer. */
const carriedSeed_bytes = nonce_bytes + hash_bytes

/** HKDF with SHA-256. The key of the ring is its salt, so that both it and the seed are needed (RFC 5869 §3.1). */
export function deriveBytes(key: Uint8Array, { use, seed, bytes }: Derivation): Buffer {
  if (seed.length === carriedSeed_bytes) return expand(unmask(key, seed), { use, bytes })
  return Buffer.from(hkdfSync('sha256', createSecretKey(seed), key, use, bytes))
}

/**
 * A seed of another cell, for the ring of this one: the pseudorandom key that the other cell extracts from it, masked under the key
 * of this ring. It derives the same bytes here as the seed did there, and again both it and the ring are needed.
 */
export function carrySeed(seed: Uint8Array, { from, to }: { from: Uint8Array; to: Uint8Array }): Buffer {
  const extracted = seed.length === carriedSeed_bytes ? unmask(from, seed) : hmac(from, seed)
  const nonce = randomBytes(nonce_bytes)
  return Buffer.concat([nonce, xor(extracted, maskOf(to, nonce))])
}

function unmask(key: Uint8Array, carried: Uint8Array): Buffer {
  return xor(carried.subarray(nonce_bytes), maskOf(key, carried.subarray(0, nonce_bytes)))
}

function maskOf(key: Uint8Array, nonce: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', nonce, key, 'carried seed', hash_bytes))
}

/** RFC 5869 §2.3. */
function expand(extracted: Uint8Array, { use, bytes }: Omit<Derivation, 'seed'>): Buffer {
  let block: Uint8Array = new Uint8Array()
  const blocks = Array.from({ length: Math.ceil(bytes / hash_bytes) }, (_, index) => {
    block = hmac(extracted, Buffer.concat([block, Buffer.from(use), Buffer.from([index + 1])]))
    return block
  })
  return Buffer.concat(blocks).subarray(0, bytes)
}

function hmac(key: Uint8Array, message: Uint8Array): Buffer {
  return createHmac('sha256', key).update(message).digest()
}

function xor(one: Uint8Array, other: Uint8Array): Buffer {
  return Buffer.from(one.map((byte, index) => byte ^ (other[index] ?? 0)))
}
