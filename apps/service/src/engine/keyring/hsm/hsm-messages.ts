import type { HsmKey, HsmModule } from '../hsm.ts'

// What the service and the process that uses its PKCS#11 token send each other.

export type StartMessage = HsmModule & Pick<HsmKey, 'token'>

/** AES-256-GCM. `bound` is authenticated and must be the same again when it is decrypted; the tag follows the encrypted bytes. */
type Encryption = { nonce: Uint8Array; bound: Uint8Array }

/** What a key of the token is used for. */
export type HsmWork =
  /** Signs a SHA-256 digest (CKM_ECDSA). */
  | { kind: 'sign'; digest: Uint8Array }
  | ({ kind: 'encrypt'; plain: Uint8Array } & Encryption)
  | ({ kind: 'decrypt'; encrypted: Uint8Array } & Encryption)

export type WorkMessage = { id: number; key: Omit<HsmKey, 'token'>; work: HsmWork }

export type HsmMessage =
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

export type HsmLimits = {
  /** Pieces of work that wait for the token. Further ones are refused. */
  maxWaiting: number
  /** Pieces of work that the token's process has been sent. */
  maxSent: number
  /** From the call to the result. The token counts as hung if it has answered nothing in this time. */
  deadline_ms: number
  /** From the start of the process to open sessions. */
  start_ms: number
  /** An idle token that has signed signs again after this time, so that readiness is known before a wallet asks. */
  probe_ms: number
  /** The longest pause between two attempts to start. */
  maxPause_ms: number
  /** A token that is only needed now and then is left this long after its last use. */
  rest_ms: number
}

export const hsmLimits: HsmLimits = {
  maxWaiting: 1000,
  maxSent: 16,
  deadline_ms: 5000,
  start_ms: 10_000,
  probe_ms: 5000,
  maxPause_ms: 5000,
  rest_ms: 10_000,
}

/** The token works, but another key has encrypted the value, or for another purpose, or it was altered. */
export class NotDecryptedError extends Error {
  override name = 'NotDecryptedError'

  constructor() {
    super('this key of the token does not decrypt the value')
  }
}

/** The name that PKCS#11 gives an error, such as `CKR_PIN_INCORRECT`, or its message. */
export function errorName(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return /CKR_\w+/.exec(message)?.[0] ?? message
}
