import type { PublicJwk } from '../keys/signing-key.ts'
import type { DcqlQuery } from './dcql.ts'

/** A request that the wallet has checked and will answer. */
export type AuthorizationRequest = {
  readonly client_id: string
  readonly nonce: string
  readonly state?: string
  readonly response_uri: string
  readonly dcql_query: DcqlQuery
  /** The verifier's key, and the content encryption that it takes, best first. */
  readonly encryption: { readonly jwk: EncryptionJwk; readonly enc_values: readonly string[] }
  /** Seconds since 1970. */
  readonly expires_at: number
}

export type EncryptionJwk = PublicJwk & { readonly kid: string; readonly alg: string }

/** What a proof of possession is bound to, in both formats. */
export type SessionBinding = {
  readonly client_id: string
  readonly nonce: string
  readonly response_uri: string
  /** RFC 7638 SHA-256 thumbprint of the key that the answer is encrypted to; null where it is not encrypted. */
  readonly thumbprint: Uint8Array | null
}
