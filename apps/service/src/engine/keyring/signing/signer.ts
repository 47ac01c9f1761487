import { Refusal } from '../../basics/refusal.ts'

/** A private key on P-256 that signs for the service, wherever it is stored. */
export type Signer = {
  /** ES256: SHA-256, then r and s concatenated, 64 bytes (RFC 7518 §3.4). Rejects with `signingUnavailable` if the key cannot be reached. */
  sign: (bytes: Uint8Array) => Promise<Uint8Array>
}

/** An ES256 signature: r and s of 32 bytes each. */
export const signature_bytes = 64

const retryAfter_seconds = 2

/** The key cannot be reached now. The caller may try again; the log says why. */
export function signingUnavailable(): Refusal {
  return new Refusal(
    'overloaded',
    'Requests cannot be signed at the moment. Try again in a few seconds.',
    retryAfter_seconds,
  )
}
