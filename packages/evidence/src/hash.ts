import { sha256, type Hash } from './sha256.ts'

const block_bytes = 64
const innerPad = 0x36
const outerPad = 0x5c

/** HMAC (RFC 2104) with a key of a block at most. An export derives a salt for every text. */
export function hmacSha256(key: Uint8Array, message: string): Hash {
  return sha256(padded(key, outerPad), sha256(padded(key, innerPad), message))
}

function padded(key: Uint8Array, pad: number): Uint8Array {
  const block = new Uint8Array(block_bytes).fill(pad)
  for (let place = 0; place < key.length; place += 1) block[place] = (key[place] ?? 0) ^ pad
  return block
}

const leafPrefix = Uint8Array.of(0)
const nodePrefix = Uint8Array.of(1)
const linkPrefix = Uint8Array.of(2)

/** A leaf of a tree. The prefixes keep a leaf from passing for a node (RFC 6962 §2.1). */
export function leafHash(content: string | Uint8Array): Hash {
  return sha256(leafPrefix, content)
}

export function nodeHash(left: Hash, right: Hash): Hash {
  return sha256(nodePrefix, left, right)
}

/** What a chain comes to with one more entry. */
export function linkHash(previous: Hash, entry: Hash): Hash {
  return sha256(linkPrefix, previous, entry)
}
