import { verify, type KeyObject } from 'node:crypto'
import type { SignatureAlgorithm } from './algorithms.ts'
import { toDerSignature } from './ecdsa-signature.ts'

/** The curve, or the type of a key that has none. */
export type PublicKey = { key: KeyObject; curve: string | undefined }

/** False also for a key on another curve and for a signature of another length: neither is tried. */
export function verifySignature(
  algorithm: SignatureAlgorithm,
  { key, curve }: PublicKey,
  signed: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (curve !== algorithm.curve || signature.length !== algorithm.signature_bytes) return false
  return verify(algorithm.hash, signed, key, curve === 'ed25519' ? signature : toDerSignature(signature))
}
