import type { PublicJwk } from '../keys/signing-key.ts'
import type { DcqlQuery } from './dcql.ts'

/** A request that passed the wallet's checks. */
export type AuthorizationRequest = {
  readonly client_id: string
  readonly nonce: string
  readonly state?: string
  readonly response_uri: string
  readonly dcql_query: DcqlQuery
  /** The verifier's key and its supported content encryption algorithms, the wallet's preferred one first. */
  readonly encryption: { readonly jwk: EncryptionJwk; readonly enc_values: readonly string[] }
  /** Seconds since 1970. */
  readonly expires_at: number
}

export type EncryptionJwk = PublicJwk & { readonly kid: string; readonly alg: string }

/** The session values that a proof of possession covers, in both formats. */
export type SessionBinding = {
  readonly client_id: string
  readonly nonce: string
  readonly response_uri: string
  /** RFC 7638 SHA-256 thumbprint of the key that the response is encrypted to; null if it is not encrypted. */
  readonly thumbprint: Uint8Array | null
}
