import { coseAlgorithmIds, joseAlgorithmNames } from '../crypto/algorithms.ts'
import { contentEncryptionNames } from '../crypto/content-encryptions.ts'
import type { EncryptionJwk } from './make-encryption-key.ts'

export type ClientMetadata = {
  jwks: { keys: [EncryptionJwk] }
  vp_formats_supported: Record<string, Record<string, (string | number)[]>>
  encrypted_response_enc_values_supported: string[]
} & ExtraClientMetadata

/** What one ecosystem's wallets want besides; others must ignore it (OpenID4VP 1.0 §5.1). */
export type ExtraClientMetadata = {
  /** Google Wallet: who asks, in base64url. See `buildRelyingPartyMetadata`. */
  gw_rp_metadata_bytes?: string
}

/** Exactly these three members (OpenID4VP 1.0 §5.1), with the algorithms that are actually verified, and what an identity adds. */
export function buildClientMetadata(jwk: EncryptionJwk, extra: ExtraClientMetadata = {}): ClientMetadata {
  return {
    jwks: { keys: [jwk] },
    vp_formats_supported: {
      'dc+sd-jwt': {
        'sd-jwt_alg_values': [...joseAlgorithmNames],
        'kb-jwt_alg_values': [...joseAlgorithmNames],
      },
      mso_mdoc: {
        issuerauth_alg_values: [...coseAlgorithmIds],
        deviceauth_alg_values: [...coseAlgorithmIds],
      },
    },
    encrypted_response_enc_values_supported: [...contentEncryptionNames],
    ...extra,
  }
}
