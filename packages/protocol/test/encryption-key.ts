import { makeEncryptionKey, type EncryptionKey } from '../src/request/make-encryption-key.ts'

/** The encryption key with a given private key, in hexadecimal. */
export function encryptionKeyWith(privateKey: string): EncryptionKey {
  // makeEncryptionKey adds one to the scalar.
  const scalar = BigInt(`0x${privateKey}`) - 1n
  return makeEncryptionKey(Buffer.from(scalar.toString(16).padStart(96, '0'), 'hex'))
}
