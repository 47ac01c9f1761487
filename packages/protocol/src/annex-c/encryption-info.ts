import { writeCbor, type CborParts } from '../cbor/write.ts'
import type { EncryptionKey } from '../request/make-encryption-key.ts'

export type EncryptionInfoInput = {
  /** base64url, at least 16 bytes. */
  nonce: string
  encryption_key: EncryptionKey
}

/**
 * Builds `encryptionInfo` (ISO/IEC TS 18013-7 Annex C): the nonce and the key to encrypt the response to. The same input gives
 * the same text, which the session transcript contains.
 */
export function buildEncryptionInfo({ nonce, encryption_key }: EncryptionInfoInput): string {
  const { x, y } = encryption_key.jwk
  const parameters = new Map<string, CborParts>([
    ['nonce', Buffer.from(nonce, 'base64url')],
    ['recipientPublicKey', toCoseKey(x, y)],
  ])
  return writeCbor(['dcapi', parameters]).toString('base64url')
}

/** A key on P-256 (RFC 9053 §7.1.1). */
function toCoseKey(x: string, y: string): CborParts {
  return new Map<number, CborParts>([
    [1, 2],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ])
}
