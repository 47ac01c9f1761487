import { sha256, type Hash } from './sha256.ts'

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
