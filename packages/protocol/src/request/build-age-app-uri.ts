import { coseAlgorithmIds } from '../crypto/algorithms.ts'
import { isCredentialQuery } from '../dcql/check/check-credential.ts'
import { findMissingCredentials } from '../dcql/match/match-credential-sets.ts'
import type { AnyQuery } from '../dcql/query.ts'

export type AgeAppRequest = { response_uri: string; nonce: string; state: string; dcql_query: AnyQuery }

/** The proof of age of the EU age-verification app. */
const proofOfAgeType = 'eu.europa.ec.av.1'

/**
 * Builds the link that opens the EU age-verification app: an unsigned request by value, as its profile requires (EU Age
 * Verification Profile 1.0.8 §A.5). Undefined if the query cannot be satisfied by a proof of age alone. `state` is not in the
 * profile's example, but OpenID4VP 1.0 §5.3 makes a wallet return it, and nothing else binds an unencrypted response.
 */
export function buildAgeAppUri({
  response_uri,
  nonce,
  state,
  dcql_query,
}: AgeAppRequest): string | undefined {
  const query = selectAgeAppQuery(dcql_query)
  if (query === undefined) return undefined
  const parameters = {
    response_type: 'vp_token',
    response_mode: 'direct_post',
    client_id: ageAppClientId(response_uri),
    response_uri,
    nonce,
    state,
    dcql_query: JSON.stringify(query),
    client_metadata: JSON.stringify(clientMetadata),
  }
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `av://?${pairs.join('&')}`
}

/** The identifier of a verifier that is known by the address of its response alone (OpenID4VP 1.0 §5.9.3). */
export function ageAppClientId(response_uri: string): string {
  return `redirect_uri:${response_uri}`
}

/** The credential of the query that asks for a proof of age, if it satisfies the query by itself. */
export function selectAgeAppQuery(query: AnyQuery): AnyQuery | undefined {
  const proofOfAge = query.credentials.find(
    (credential) =>
      isCredentialQuery(credential) &&
      credential.format === 'mso_mdoc' &&
      credential.meta.doctype_value === proofOfAgeType &&
      findMissingCredentials(query, new Set([credential.id])).length === 0,
  )
  return proofOfAge && { credentials: [proofOfAge] }
}

/** Without keys: the profile does not encrypt. */
const clientMetadata = {
  vp_formats_supported: {
    mso_mdoc: {
      issuerauth_alg_values: [...coseAlgorithmIds],
      deviceauth_alg_values: [...coseAlgorithmIds],
    },
  },
}
