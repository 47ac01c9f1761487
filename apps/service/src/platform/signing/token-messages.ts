import type { TokenKey, TokenModule } from './read-pkcs11-uri.ts'

// What the service and the process that uses its PKCS#11 token send each other.

export type StartMessage = TokenModule & Pick<TokenKey, 'token'>

export type SignMessage = { id: number; key: Omit<TokenKey, 'token'>; digest: Uint8Array }

export type TokenMessage =
  | { kind: 'started' }
  /** `permanent`: another attempt would fail in the same way. */
  | { kind: 'not started'; reason: string; permanent: boolean }
  | { kind: 'signed'; id: number; signature: Uint8Array }
  /** The token works but has no such key, or not one that signs ES256. */
  | { kind: 'no key'; id: number; reason: string }
  /** The token refused to sign. */
  | { kind: 'failed'; reason: string }
