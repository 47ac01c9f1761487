import { compactVerify, decodeProtectedHeader } from 'jose'
import type { AuthorizationRequest } from './authorization-request.ts'
import { checkCertificate } from './check-certificate.ts'
import { checkMetadata } from './check-metadata.ts'
import { checkQuery } from './check-query.ts'
import { violationUnless, isObject, formatValue, type Violation } from './violation.ts'
import { isSafeUrl, type RequestReference } from './read-wallet-uri.ts'

export type RequestInput = {
  reference: RequestReference
  /** The nonce that the wallet sent. The request must repeat it, or have none if none was sent. */
  wallet_nonce?: string | undefined
  now: Date
  verifier_anchors?: readonly Uint8Array[] | undefined
}

export type CheckedRequest = { request?: AuthorizationRequest; violations: Violation[] }

/** Parameters that are not allowed with `vp_token` and `direct_post.jwt`, or were removed in OpenID4VP 1.0. */
const forbiddenParameters = [
  'redirect_uri',
  'scope',
  'client_id_scheme',
  'presentation_definition',
  'presentation_definition_uri',
  'transaction_data',
]

const clockSkew_seconds = 60

/** Checks a request object as strictly as the specifications allow and returns all violations. */
export async function checkRequest(jwt: string, input: RequestInput): Promise<CheckedRequest> {
  const parsed = parseJwt(jwt)
  if (parsed === undefined) {
    return {
      violations: violationUnless(
        false,
        'request.form',
        'RFC 9101 §4',
        'the request object is not a signed JWT',
      ),
    }
  }
  const { header, claims } = parsed
  const certificate = checkCertificate({
    x5c: header['x5c'],
    client_id: input.reference.client_id,
    response_uri: claims['response_uri'],
    now: input.now,
    anchors: input.verifier_anchors ?? [],
  })
  const query = checkQuery(claims['dcql_query'])
  const formats = new Set(query.dcql_query?.credentials.map(({ format }) => format))
  const metadata = checkMetadata(claims['client_metadata'], [...formats])
  const signed = certificate.leaf !== undefined && (await isSigned(jwt, certificate.leaf.publicKey))
  const violations = [
    ...checkHeader(header),
    ...certificate.violations,
    ...violationUnless(
      signed,
      'request.signature',
      'RFC 9101 §6.2',
      'the signature does not match the leaf certificate',
    ),
    ...checkClaims(claims, input),
    ...query.violations,
    ...metadata.violations,
  ]
  if (violations.length > 0 || query.dcql_query === undefined || metadata.encryption === undefined) {
    return { violations }
  }
  return { request: toRequest(claims, query.dcql_query, metadata.encryption), violations }
}

function parseJwt(
  jwt: string,
): { header: Record<string, unknown>; claims: Record<string, unknown> } | undefined {
  try {
    const header = decodeProtectedHeader(jwt)
    const claims: unknown = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8'))
    return isObject(claims) ? { header: { ...header }, claims } : undefined
  } catch {
    // Both throw if the text is not a JWT.
    return undefined
  }
}

async function isSigned(jwt: string, key: Parameters<typeof compactVerify>[1]): Promise<boolean> {
  try {
    await compactVerify(jwt, key, { algorithms: ['ES256'] })
    return true
  } catch {
    // jose throws if the signature is wrong or the algorithm does not match the key.
    return false
  }
}

function checkHeader({ typ, alg, jwk, jku, x5u, crit }: Record<string, unknown>): Violation[] {
  return [
    ...violationUnless(
      typ === 'oauth-authz-req+jwt',
      'request.typ',
      'OpenID4VP 1.0 §5',
      `typ is ${formatValue(typ)}, not "oauth-authz-req+jwt"`,
    ),
    ...violationUnless(
      alg === 'ES256',
      'request.alg',
      'HAIP 1.0 §7',
      `alg is ${formatValue(alg)}, not "ES256"`,
    ),
    ...violationUnless(
      [jwk, jku, x5u, crit].every((member) => member === undefined),
      'request.header',
      'RFC 9101 §10.1',
      'the header must not have jwk, jku, x5u or crit; x5c names the key',
    ),
  ]
}

function checkClaims(
  claims: Record<string, unknown>,
  { reference, wallet_nonce, now }: RequestInput,
): Violation[] {
  const { client_id, response_type, response_mode, aud } = claims
  const forbidden = forbiddenParameters.filter((name) => name in claims)
  return [
    ...violationUnless(
      client_id === reference.client_id,
      'request.client_id',
      'OpenID4VP 1.0 §5.10.1',
      `client_id is ${formatValue(client_id)}; the URI has ${formatValue(reference.client_id)}`,
    ),
    ...violationUnless(
      response_type === 'vp_token',
      'request.response_type',
      'OpenID4VP 1.0 §5.6',
      `response_type is ${formatValue(response_type)}`,
    ),
    ...violationUnless(
      response_mode === 'direct_post.jwt',
      'request.response_mode',
      'HAIP 1.0 §5.1',
      `response_mode is ${formatValue(response_mode)}`,
    ),
    ...violationUnless(
      aud === 'https://self-issued.me/v2',
      'request.aud',
      'OpenID4VP 1.0 §5.8',
      `aud is ${formatValue(aud)}, not "https://self-issued.me/v2"`,
    ),
    ...violationUnless(
      claims['wallet_nonce'] === wallet_nonce,
      'request.wallet_nonce',
      'OpenID4VP 1.0 §5.10.1',
      `wallet_nonce is ${formatValue(claims['wallet_nonce'])}, not ${formatValue(wallet_nonce)}`,
    ),
    ...violationUnless(
      forbidden.length === 0,
      'request.parameters',
      'OpenID4VP 1.0 §8.2',
      `${forbidden.join(', ')} must be absent`,
    ),
    ...checkResponseUri(claims['response_uri'], reference),
    ...checkRandomValues(claims),
    ...checkTimes(claims, now),
  ]
}

function checkResponseUri(responseUri: unknown, { request_uri }: RequestReference): Violation[] {
  const sameOrigin = isSafeUrl(responseUri) && new URL(responseUri).origin === new URL(request_uri).origin
  const message = `response_uri is ${formatValue(responseUri)}; it must be an https URL with the origin of request_uri`
  return violationUnless(sameOrigin, 'request.response_uri', 'OpenID4VP 1.0 §14.3.1', message)
}

/** 128 bits are 22 characters of base64url. The OIDF conformance suite allows at most 43. */
function checkRandomValues({ nonce, state }: Record<string, unknown>): Violation[] {
  return Object.entries({ nonce, state }).flatMap(([name, value]) =>
    violationUnless(
      typeof value === 'string' && /^[A-Za-z0-9._~-]{22,43}$/.test(value),
      `request.${name}`,
      'OpenID4VP 1.0 §5.2',
      `${name} is ${formatValue(value)}, not 22-43 URL-safe characters`,
    ),
  )
}

function checkTimes({ iat, exp }: Record<string, unknown>, now: Date): Violation[] {
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

/** Called only without violations, so every member has the type that is assumed here. */
function toRequest(
  { client_id, nonce, state, response_uri, exp }: Record<string, unknown>,
  dcqlQuery: AuthorizationRequest['dcql_query'],
  encryption: AuthorizationRequest['encryption'],
): AuthorizationRequest {
  return {
    client_id: String(client_id),
    nonce: String(nonce),
    state: String(state),
    response_uri: String(response_uri),
    expires_at: Number(exp),
    dcql_query: dcqlQuery,
    encryption,
  }
}
