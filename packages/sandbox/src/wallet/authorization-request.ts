import type { PublicJwk } from '../keys/signing-key.ts'
import type { DcqlQuery } from './dcql.ts'
import type { ProximitySession } from './proximity/session.ts'
import type { RegistrationResult } from './registration/registration.ts'

/**
 * How a request reaches the wallet and its response the verifier: by URLs, by the Digital Credentials API of a browser
 * (OpenID4VP or ISO/IEC TS 18013-7 annex C), or by the link of the EU age verification profile.
 */
export type Channel = WalletRequest['channel']

/** A request that passed the wallet's checks. */
export type WalletRequest = AuthorizationRequest | AgeAppRequest | DcApiRequest | AnnexCRequest

/** A signed request that the wallet fetched from `request_uri` (OpenID4VP 1.0 §5). */
export type AuthorizationRequest = {
  readonly channel: 'redirect'
  readonly client_id: string
  readonly nonce: string
  readonly state?: string
  readonly response_uri: string
  readonly dcql_query: DcqlQuery
  readonly encryption: EncryptionOffer
  /** Seconds since 1970. */
  readonly expires_at: number
  /** Who the verifier is registered as, if the wallet checks that. */
  readonly registration?: RegistrationResult
}

/** An unsigned request in a link, whose response is not encrypted (EU age verification profile, annex A.5). */
export type AgeAppRequest = {
  readonly channel: 'age_app'
  readonly client_id: string
  readonly nonce: string
  readonly state?: string
  readonly response_uri: string
  readonly dcql_query: DcqlQuery
}

/** A signed request through the Digital Credentials API (OpenID4VP 1.0 annex A). */
export type DcApiRequest = {
  readonly channel: 'dc_api'
  /** As the request named it. Default: `openid4vp-v1-signed`. */
  readonly protocol?: string
  readonly client_id: string
  readonly nonce: string
  /** The origin that the browser reported. */
  readonly origin: string
  readonly dcql_query: DcqlQuery
  readonly encryption: EncryptionOffer
  readonly expires_at: number
  readonly registration?: RegistrationResult
  /** Not defined on this channel. */
  readonly state?: never
}

/** A DeviceRequest through the Digital Credentials API (ISO/IEC TS 18013-7 annex C). */
export type AnnexCRequest = {
  readonly channel: 'annex_c'
  /** In base64url. */
  readonly nonce: string
  readonly origin: string
  /** As received: the session transcript covers the text. */
  readonly encryption_info: string
  readonly recipient_key: PublicJwk
  /** The requested documents as a query. Each is optional, because the wallet returns those that it holds. */
  readonly dcql_query: DcqlQuery
  readonly registration?: RegistrationResult
  /** Not defined on this channel. */
  readonly client_id?: never
  readonly state?: never
}

/** A DeviceRequest of a reader nearby (ISO/IEC 18013-5). Its response is not posted, but goes back to the reader. */
export type ProximityRequest = {
  readonly channel: 'proximity'
  readonly session: ProximitySession
  readonly dcql_query: DcqlQuery
  /** Not defined on this channel. */
  readonly client_id?: never
  readonly nonce?: never
}

/** The verifier's key and its supported content encryption algorithms, the wallet's preferred one first. */
type EncryptionOffer = { readonly jwk: EncryptionJwk; readonly enc_values: readonly string[] }

export type EncryptionJwk = PublicJwk & { readonly kid: string; readonly alg: string }

/** The values that a proof of possession covers, by the form of its audience or session transcript. */
export type VerificationBinding =
  | {
      readonly kind: 'client'
      readonly client_id: string
      readonly nonce: string
      readonly response_uri: string
      /** RFC 7638 SHA-256 thumbprint of the key that the response is encrypted to; null if it is not encrypted. */
      readonly thumbprint: Uint8Array | null
    }
  | {
      readonly kind: 'origin'
      readonly origin: string
      readonly nonce: string
      readonly thumbprint: Uint8Array | null
    }
  | { readonly kind: 'annex_c'; readonly origin: string; readonly encryption_info: string }
  | {
      readonly kind: 'proximity'
      readonly session: ProximitySession
      readonly authentication: 'signature' | 'mac'
    }
