import { verify, type KeyObject } from 'node:crypto'
import type { SignatureAlgorithm } from './algorithms.ts'
import { toDerSignature } from './ecdsa-signature.ts'

/** `curve` is the key's curve, or its type if it has no curve. */
export type PublicKey = { key: KeyObject; curve: string | undefined }

/** False if the algorithm must not be used with a key on this curve. */
export function fitsKey({ signature_bytes }: SignatureAlgorithm, { curve }: PublicKey): boolean {
  return signature_bytes.has(curve)
}

/** Returns false without verifying if the curve or the length of the signature does not match the algorithm. */
export function verifySignature(
  algorithm: SignatureAlgorithm,
  { key, curve }: PublicKey,
  signed: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (signature.length !== algorithm.signature_bytes.get(curve)) return false
  return verify(algorithm.hash, signed, key, curve === 'ed25519' ? signature : toDerSignature(signature))
}
