import type { AnyQuery } from '../dcql/query.ts'
import { addPurpose } from './add-purpose.ts'
import type { RequestInput, VerifierAttestation } from './build.ts'
import { buildClientMetadata, type ClientMetadata, type ExtraClientMetadata } from './client-metadata.ts'

export type DcApiRequestInput = Omit<RequestInput, 'response_uri' | 'state' | 'wallet_nonce'> & {
  /** Of the page that calls the API, as the browser writes it: a wallet compares the text. */
  origin: string
  extra_metadata?: ExtraClientMetadata
}

export type DcApiRequestObject = {
  client_id: string
  response_type: 'vp_token'
  response_mode: 'dc_api.jwt'
  expected_origins: [string]
  nonce: string
  dcql_query: AnyQuery
  client_metadata: ClientMetadata
  aud: 'https://self-issued.me/v2'
  iat: number
  exp: number
  verifier_info?: VerifierAttestation[]
}

/**
 * The claims of the request object for the Digital Credentials API: these and no others (OpenID4VP 1.0 §A.2, HAIP 1.0 §5.2).
 * One origin, so that a request obtained for one page cannot be answered from another. There is no `state`, which this channel
 * does not define.
 */
export function buildDcApiRequest(input: DcApiRequestInput): DcApiRequestObject {
  const { client_id, origin, nonce, verifier_info = [] } = input
  return {
    client_id,
    response_type: 'vp_token',
    response_mode: 'dc_api.jwt',
    expected_origins: [origin],
    nonce,
    dcql_query: addPurpose(input.dcql_query, input.purpose),
    client_metadata: buildClientMetadata(input.encryption_jwk, input.extra_metadata),
    aud: 'https://self-issued.me/v2',
    iat: input.issued_at,
    exp: input.expires_at,
    ...(verifier_info.length > 0 && { verifier_info }),
  }
}
