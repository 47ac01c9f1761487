import type { AnyQuery } from '../dcql/query.ts'
import { addPurpose } from './add-purpose.ts'
import { buildClientMetadata, type ClientMetadata } from './client-metadata.ts'
import type { EncryptionJwk } from './make-encryption-key.ts'

/** An attestation about the verifier, such as its registration certificate (OpenID4VP 1.0 §5.11). */
export type VerifierAttestation = { format: string; data: string | object; credential_ids?: string[] }

export type RequestInput = {
  client_id: string
  response_uri: string
  nonce: string
  state: string
  dcql_query: AnyQuery
  purpose?: string
  encryption_jwk: EncryptionJwk
  /** The nonce that the wallet sent and expects back (request_uri_method=post). */
  wallet_nonce?: string
  verifier_info?: VerifierAttestation[]
  /** Seconds since 1970. */
  issued_at: number
  expires_at: number
}

export type RequestObject = {
  client_id: string
  response_type: 'vp_token'
  response_mode: 'direct_post.jwt'
  response_uri: string
  nonce: string
  state: string
  dcql_query: AnyQuery
  client_metadata: ClientMetadata
  aud: 'https://self-issued.me/v2'
  iat: number
  exp: number
  wallet_nonce?: string
  verifier_info?: VerifierAttestation[]
}

/** The claims of the request object: these and no others (OpenID4VP 1.0 §5, HAIP 1.0 §5). */
export function buildRequest(input: RequestInput): RequestObject {
  const { client_id, response_uri, nonce, state, wallet_nonce, verifier_info = [] } = input
  return {
    client_id,
    response_type: 'vp_token',
    response_mode: 'direct_post.jwt',
    response_uri,
    nonce,
    state,
    dcql_query: addPurpose(input.dcql_query, input.purpose),
    client_metadata: buildClientMetadata(input.encryption_jwk),
    aud: 'https://self-issued.me/v2',
    iat: input.issued_at,
    exp: input.expires_at,
    ...(wallet_nonce !== undefined && { wallet_nonce }),
    ...(verifier_info.length > 0 && { verifier_info }),
  }
}
