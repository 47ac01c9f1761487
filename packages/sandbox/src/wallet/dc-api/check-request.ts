import type { DcApiRequest } from '../authorization-request.ts'
import {
  checkAbsentParameters,
  checkFixedParameters,
  checkRandomValue,
  checkTimes,
  unsupportedParameters,
} from '../check-parameters.ts'
import { readRequestObject, type RequestClaims } from '../read-request-object.ts'
import type { RegistrationPolicy } from '../registration/registration.ts'
import { isSafeUrl } from '../read-wallet-uri.ts'
import { violationUnless, formatValue, isNonEmptyArray, isObject, type Violation } from '../violation.ts'

export type DcApiRequestInput = {
  /** The origin of the page that called the browser's API. */
  origin: string
  now: Date
  verifier_anchors?: readonly Uint8Array[] | undefined
  registration?: RegistrationPolicy | undefined
  /** How a DeviceRequest is read. Default: by its use cases. */
  annex_c_reading?: AnnexCReading | undefined
}

/**
 * How wallets read a DeviceRequest: by its use cases, if it has any (Multipaz, Apple); only the first document (Multipaz, without use
 * cases); every document that the holder has (the EU's library for Android).
 */
export type AnnexCReading = 'use_cases' | 'first' | 'every'

/** Parameters of the other channels: the browser replaces them (OpenID4VP 1.0 annex A.2). */
const replacedParameters = ['state', 'response_uri', 'request_uri', 'request_uri_method', 'wallet_nonce']

/** Checks the data of an `openid4vp-v1-signed` request as strictly as the specifications allow (OpenID4VP 1.0 annex A.3.2). */
export async function checkDcApiRequest(
  data: unknown,
  input: DcApiRequestInput,
): Promise<{ request?: DcApiRequest; violations: Violation[] }> {
  const members = isObject(data) ? Object.keys(data).join() : undefined
  const jwt = isObject(data) ? data['request'] : undefined
  if (members !== 'request' || typeof jwt !== 'string') {
    const message = `data is ${formatValue(data)}, not an object with request only`
    return { violations: violationUnless(false, 'dc_api.data', 'OpenID4VP 1.0 annex A.3.2', message) }
  }
  const { claims, dcql_query, encryption, registration, violations } = await readRequestObject(jwt, {
    has_response_uri: false,
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
    channel: 'dc_api' as const,
    client_id: String(claims['client_id']),
    nonce: String(claims['nonce']),
    origin: input.origin,
    expires_at: Number(claims['exp']),
    dcql_query,
    encryption,
    ...(registration !== undefined && { registration }),
  }
  return { request, violations }
}

function checkClaims(claims: RequestClaims, { origin, now }: DcApiRequestInput): Violation[] {
  return [
    ...checkFixedParameters(claims, { response_mode: 'dc_api.jwt', place: 'HAIP 1.0 §5.2' }),
    ...checkAbsentParameters(
      claims,
      [...replacedParameters, ...unsupportedParameters],
      'OpenID4VP 1.0 annex A.2',
    ),
    ...checkExpectedOrigins(claims['expected_origins'], origin),
    ...checkRandomValue('nonce', claims['nonce']),
    ...checkTimes(claims, now),
  ]
}

/** The wallet compares texts: an origin has no path, no trailing slash and no default port. */
function checkExpectedOrigins(origins: unknown, origin: string): Violation[] {
  const valid = isNonEmptyArray(origins) && origins.every(isOrigin)
  return [
    ...violationUnless(
      valid,
      'request.expected_origins',
      'OpenID4VP 1.0 annex A.2',
      `expected_origins is ${formatValue(origins)}, not a list of origins as a browser writes them`,
    ),
    ...violationUnless(
      !valid || origins.includes(origin),
      'request.origin',
      'OpenID4VP 1.0 annex A.2',
      `expected_origins is ${formatValue(origins)}; the browser reported ${formatValue(origin)}`,
    ),
  ]
}

function isOrigin(text: unknown): boolean {
  return isSafeUrl(text) && new URL(text).origin === text
}
