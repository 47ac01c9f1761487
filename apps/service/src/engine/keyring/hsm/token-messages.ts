import type { TokenKey, TokenModule } from './read-pkcs11-uri.ts'

// What the service and the process that uses its PKCS#11 token send each other.

export type StartMessage = TokenModule & Pick<TokenKey, 'token'>

/** AES-256-GCM. `bound` is authenticated and must be the same again when it is decrypted; the tag follows the encrypted bytes. */
type Encryption = { nonce: Uint8Array; bound: Uint8Array }

/** What a key of the token is used for. */
export type TokenWork =
  /** Signs a SHA-256 digest (CKM_ECDSA). */
  | { kind: 'sign'; digest: Uint8Array }
  | ({ kind: 'encrypt'; plain: Uint8Array } & Encryption)
  | ({ kind: 'decrypt'; encrypted: Uint8Array } & Encryption)

export type WorkMessage = { id: number; key: Omit<TokenKey, 'token'>; work: TokenWork }

export type TokenMessage =
  | { kind: 'started' }
  /** `permanent`: another attempt would fail in the same way. */
  | { kind: 'not started'; reason: string; permanent: boolean }
  | { kind: 'done'; id: number; bytes: Uint8Array }
  /** The token works but has no such key, or not one that is fit for this. */
  | { kind: 'no key'; id: number; reason: string }
  /** The token works, and another key has encrypted this, or it was altered. */
  | { kind: 'not decrypted'; id: number }
  /** The token failed. */
  | { kind: 'failed'; reason: string }
