import type { AuthorizationRequest } from './authorization-request.ts'
import {
  checkAbsentParameters,
  checkFixedParameters,
  checkRandomValue,
  checkTimes,
  unsupportedParameters,
} from './check-parameters.ts'
import { readRequestObject, type RequestClaims } from './read-request-object.ts'
import type { RegistrationPolicy } from './registration/registration.ts'
import { isSafeUrl, type RequestReference } from './read-wallet-uri.ts'
import { violationUnless, formatValue, type Violation } from './violation.ts'

export type RequestInput = {
  reference: RequestReference
  /** The nonce that the wallet sent. The request must repeat it, or have none if none was sent. */
  wallet_nonce?: string | undefined
  now: Date
  verifier_anchors?: readonly Uint8Array[] | undefined
  registration?: RegistrationPolicy | undefined
}

export type CheckedRequest = { request?: AuthorizationRequest; violations: Violation[] }

/** Checks a request object as strictly as the specifications allow and returns all violations. */
export async function checkRequest(jwt: string, input: RequestInput): Promise<CheckedRequest> {
  const { claims, dcql_query, encryption, registration, violations } = await readRequestObject(jwt, {
    client_id: input.reference.client_id,
    has_response_uri: true,
    now: input.now,
    anchors: input.verifier_anchors ?? [],
    registration: input.registration,
  })
  if (claims !== undefined) violations.push(...checkClaims(claims, input))
  if (violations.length > 0 || claims === undefined || dcql_query === undefined || encryption === undefined) {
    return { violations }
  }
  // Without violations, every member has the type that is assumed here.
  const request = {
    channel: 'redirect' as const,
    client_id: String(claims['client_id']),
    nonce: String(claims['nonce']),
    state: String(claims['state']),
    response_uri: String(claims['response_uri']),
    expires_at: Number(claims['exp']),
    dcql_query,
    encryption,
    ...(registration !== undefined && { registration }),
  }
  return { request, violations }
}

function checkClaims(claims: RequestClaims, { reference, wallet_nonce, now }: RequestInput): Violation[] {
  return [
    ...violationUnless(
      claims['client_id'] === reference.client_id,
      'request.client_id',
      'OpenID4VP 1.0 §5.10.1',
      `client_id is ${formatValue(claims['client_id'])}; the URI has ${formatValue(reference.client_id)}`,
    ),
    ...checkFixedParameters(claims, { response_mode: 'direct_post.jwt', place: 'HAIP 1.0 §5.1' }),
    ...violationUnless(
      claims['wallet_nonce'] === wallet_nonce,
      'request.wallet_nonce',
      'OpenID4VP 1.0 §5.10.1',
      `wallet_nonce is ${formatValue(claims['wallet_nonce'])}, not ${formatValue(wallet_nonce)}`,
    ),
    ...checkAbsentParameters(claims, unsupportedParameters, 'OpenID4VP 1.0 §8.2'),
    ...checkResponseUri(claims['response_uri'], reference),
    ...checkRandomValue('nonce', claims['nonce']),
    ...checkRandomValue('state', claims['state']),
    ...checkTimes(claims, now),
  ]
}

function checkResponseUri(responseUri: unknown, { request_uri }: RequestReference): Violation[] {
  const sameOrigin = isSafeUrl(responseUri) && new URL(responseUri).origin === new URL(request_uri).origin
  const message = `response_uri is ${formatValue(responseUri)}; it must be an https URL with the origin of request_uri`
  return violationUnless(sameOrigin, 'request.response_uri', 'OpenID4VP 1.0 §14.3.1', message)
}
