import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import type { SigningKey } from '../src/log/note.ts'

/** Generates a signing key with node:crypto. */
export function newKey(name: string): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  return {
    name,
    publicKey: Uint8Array.from(Buffer.from(x, 'base64url')),
    sign: (bytes) => sign(null, bytes, privateKey),
  }
}
