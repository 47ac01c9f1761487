import { hash } from 'node:crypto'

/** 32 bytes of SHA-256. Outside the process it is written in lower-case hexadecimal, in a checkpoint in base64. */
export type Hash = Buffer

export const hashBytes = 32

export function sha256(...parts: readonly (string | Uint8Array)[]): Hash {
  const bytes = parts.length === 1 ? (parts[0] ?? '') : Buffer.concat(parts.map((part) => Buffer.from(part)))
  return hash('sha256', bytes, 'buffer')
}

const leafPrefix = Buffer.of(0)
const nodePrefix = Buffer.of(1)
const linkPrefix = Buffer.of(2)

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
