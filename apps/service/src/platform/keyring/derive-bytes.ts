import { createSecretKey, hkdfSync } from 'node:crypto'

export type Derivation = { use: string; seed: Uint8Array; bytes: number }

/** HKDF with SHA-256. The key of the ring is its salt, so that both it and the seed are needed (RFC 5869 §3.1). */
export function deriveBytes(key: Uint8Array, { use, seed, bytes }: Derivation): Buffer {
  return Buffer.from(hkdfSync('sha256', createSecretKey(seed), key, use, bytes))
}
