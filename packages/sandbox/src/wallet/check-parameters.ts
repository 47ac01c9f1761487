import type { RequestClaims } from './read-request-object.ts'
import { violationUnless, formatValue, type Violation } from './violation.ts'

/** Parameters that were removed in OpenID4VP 1.0, or that this wallet does not support, on any channel. */
export const unsupportedParameters = [
  'redirect_uri',
  'scope',
  'client_id_scheme',
  'presentation_definition',
  'presentation_definition_uri',
  'transaction_data',
] as const

const clockSkew_seconds = 60

/** Checks the parameters of a signed request that have one allowed value on each channel. */
export function checkFixedParameters(
  { response_type, response_mode, aud }: RequestClaims,
  expected: { response_mode: string; place: string },
): Violation[] {
  return [
    ...violationUnless(
      response_type === 'vp_token',
      'request.response_type',
      'OpenID4VP 1.0 §5.6',
      `response_type is ${formatValue(response_type)}`,
    ),
    ...violationUnless(
      response_mode === expected.response_mode,
      'request.response_mode',
      expected.place,
      `response_mode is ${formatValue(response_mode)}, not ${formatValue(expected.response_mode)}`,
    ),
    ...violationUnless(
      aud === 'https://self-issued.me/v2',
      'request.aud',
      'OpenID4VP 1.0 §5.8',
      `aud is ${formatValue(aud)}, not "https://self-issued.me/v2"`,
    ),
  ]
}

export function checkAbsentParameters(
  claims: RequestClaims,
  names: readonly string[],
  place: string,
): Violation[] {
  const present = names.filter((name) => name in claims)
  return violationUnless(
    present.length === 0,
    'request.parameters',
    place,
    `${present.join(', ')} must be absent`,
  )
}

/** 128 bits are 22 characters of base64url. The OIDF conformance suite allows at most 43. */
export function checkRandomValue(name: string, value: unknown): Violation[] {
  return violationUnless(
    typeof value === 'string' && /^[A-Za-z0-9._~-]{22,43}$/.test(value),
    `request.${name}`,
    'OpenID4VP 1.0 §5.2',
    `${name} is ${formatValue(value)}, not 22-43 URL-safe characters`,
  )
}

export function checkTimes({ iat, exp }: RequestClaims, now: Date): Violation[] {
  const seconds = now.getTime() / 1000
  return [
    ...violationUnless(
      typeof iat === 'number' && iat <= seconds + clockSkew_seconds,
      'request.iat',
      'RFC 7519 §4.1.6',
      `iat is ${formatValue(iat)}, now is ${Math.floor(seconds)}`,
    ),
    ...violationUnless(
      typeof exp === 'number' && exp > seconds,
      'request.exp',
      'RFC 7519 §4.1.4',
      `exp is ${formatValue(exp)}, now is ${Math.floor(seconds)}`,
    ),
  ]
}
