import { sha256 as digest } from '@noble/hashes/sha2.js'
import { concatBytes, toUtf8 } from './bytes.ts'

/** 32 bytes of SHA-256. Outside the process it is written in lower-case hexadecimal, in a checkpoint in base64. */
export type Hash = Uint8Array

export const hashBytes = 32

/** The hash of the parts, one after another. Computed here and not by the platform: a browser's own can only be waited for. */
export function sha256(...parts: readonly (string | Uint8Array)[]): Hash {
  const bytes = parts.map((part) => (typeof part === 'string' ? toUtf8(part) : part))
  return digest(bytes.length === 1 && bytes[0] !== undefined ? bytes[0] : concatBytes(...bytes))
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
