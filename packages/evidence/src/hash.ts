import { sha256, type Hash } from './sha256.ts'

const block_bytes = 64
const innerPad = 0x36
const outerPad = 0x5c

/** HMAC (RFC 2104) for keys of at most one block. An export derives a salt for every text. */
export function hmacSha256(key: Uint8Array, message: string): Hash {
  return sha256(padKey(key, outerPad), sha256(padKey(key, innerPad), message))
}

function padKey(key: Uint8Array, pad: number): Uint8Array {
  const block = new Uint8Array(block_bytes).fill(pad)
  for (let index = 0; index < key.length; index += 1) block[index] = (key[index] ?? 0) ^ pad
  return block
}

const leafPrefix = Uint8Array.of(0)
const nodePrefix = Uint8Array.of(1)
const linkPrefix = Uint8Array.of(2)

/** The prefixes keep a leaf from being passed off as a node (RFC 6962 §2.1). */
export function leafHash(content: string | Uint8Array): Hash {
  return sha256(leafPrefix, content)
}

export function nodeHash(left: Hash, right: Hash): Hash {
  return sha256(nodePrefix, left, right)
}

/** The link of a chain after one more entry. */
export function linkHash(previous: Hash, entry: Hash): Hash {
  return sha256(linkPrefix, previous, entry)
}
