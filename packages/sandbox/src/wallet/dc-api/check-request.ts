import { createHash, type X509Certificate } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import { octetStringExtension } from '../../certificates/extensions.ts'
import { extension } from '../../certificates/sign-certificate.ts'
import type { DcApiRequest } from '../authorization-request.ts'
import { multiSignedProtocol } from '../build-response.ts'
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
  /** Whose wallet it is. Default: that of the EU. */
  ecosystem?: WalletEcosystem | undefined
}

/**
 * Wallets of the EU read the first request of a protocol that they know; Google's, of the signed ones, the first by somebody that Google
 * registered; Apple's only annex C, signed as a whole by somebody that Apple registered; others the request that is signed by several.
 */
export type WalletEcosystem = 'eu' | 'google' | 'apple' | 'iso'

/**
 * How wallets read a DeviceRequest: by its use cases, if it has any (Multipaz, Apple); only the first document (Multipaz, without use
 * cases); every document that the holder has (the EU's library for Android).
 */
export type AnnexCReading = 'use_cases' | 'first' | 'every'

/** Parameters of the other channels: the browser replaces them (OpenID4VP 1.0 annex A.2). */
const replacedParameters = ['state', 'response_uri', 'request_uri', 'request_uri_method', 'wallet_nonce']

export type CheckedDcApiRequest = { request?: DcApiRequest; violations: Violation[] }

/** Checks the data of an `openid4vp-v1-signed` request as strictly as the specifications allow (OpenID4VP 1.0 annex A.3.2). */
export async function checkDcApiRequest(
  data: unknown,
  input: DcApiRequestInput,
): Promise<CheckedDcApiRequest> {
  const members = isObject(data) ? Object.keys(data).join() : undefined
  const jwt = isObject(data) ? data['request'] : undefined
  if (members !== 'request' || typeof jwt !== 'string') {
    const message = `data is ${formatValue(data)}, not an object with request only`
    return { violations: violationUnless(false, 'dc_api.data', 'OpenID4VP 1.0 annex A.3.2', message) }
  }
  return checkSignedRequest(jwt, input)
}

/**
 * The same for `openid4vp-v1-multisigned`: the first signature by somebody that the wallet trusts counts. What belongs to one signer is in
 * its header (annex A.3.2.2).
 */
export async function checkMultiSignedRequest(
  data: unknown,
  input: DcApiRequestInput,
): Promise<CheckedDcApiRequest> {
  const request = isObject(data) && Object.keys(data).join() === 'request' ? data['request'] : undefined
  const { payload, signatures } = isObject(request) ? request : {}
  const checked: CheckedDcApiRequest[] = []
  for (const signature of isNonEmptyArray(signatures) ? signatures : []) {
    const { protected: header, signature: value } = isObject(signature) ? signature : {}
    if (typeof header !== 'string' || typeof payload !== 'string' || typeof value !== 'string') break
    const own = readOwnMembers(header)
    const result = await checkSignedRequest(`${header}.${payload}.${value}`, input, own)
    checked.push(
      result.request === undefined
        ? result
        : { ...result, request: { ...result.request, protocol: multiSignedProtocol } },
    )
  }
  const message = `data is ${formatValue(data)}, not a JWS with signatures`
  return (
    checked.find(({ request: read }) => read !== undefined) ??
    checked[0] ?? {
      violations: violationUnless(false, 'dc_api.data', 'OpenID4VP 1.0 annex A.3.2.2', message),
    }
  )
}

function readOwnMembers(header: string): RequestClaims {
  try {
    const { client_id, verifier_info } = decodeProtectedHeader(`${header}..`) as RequestClaims
    return { client_id, ...(verifier_info !== undefined && { verifier_info }) }
  } catch {
    // jose throws if it is not a header.
    return {}
  }
}

/** `own`: what is in the header if several sign. */
async function checkSignedRequest(
  jwt: string,
  input: DcApiRequestInput,
  own?: RequestClaims,
): Promise<CheckedDcApiRequest> {
  const { claims, dcql_query, encryption, registration, leaf, violations } = await readRequestObject(jwt, {
    has_response_uri: false,
    now: input.now,
    anchors: input.verifier_anchors ?? [],
    registration: input.registration,
    own,
  })
  if (claims !== undefined) violations.push(...checkClaims(claims, input))
  if (input.ecosystem === 'google') violations.push(...checkGoogleMetadata(claims, leaf))
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

const googleMetadataOid = '1.3.6.1.4.1.11129.10.1'

/** Google Wallet shows metadata that the leaf names by its hash. */
function checkGoogleMetadata(
  claims: RequestClaims | undefined,
  leaf: X509Certificate | undefined,
): Violation[] {
  const metadata = isObject(claims?.['client_metadata']) ? claims['client_metadata'] : {}
  const { gw_rp_metadata_bytes: text } = metadata
  const bytes = Buffer.from(typeof text === 'string' ? text : '', 'base64url')
  const hash = createHash('sha256').update(bytes).digest()
  const expected = extension(octetStringExtension(googleMetadataOid, hash))
  return violationUnless(
    bytes.length > 0 && leaf?.raw.includes(Buffer.from(expected)) === true,
    'google.metadata',
    'Google Wallet, verifier registrars',
    'gw_rp_metadata_bytes is missing, or its hash is not in the leaf',
  )
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

/** The wallet compares texts: the origin of a page has no path, no trailing slash and no default port. */
function checkExpectedOrigins(origins: unknown, origin: string): Violation[] {
  const valid = isNonEmptyArray(origins) && origins.every(isOrigin)
  return [
    ...violationUnless(
      valid,
      'request.expected_origins',
      'OpenID4VP 1.0 annex A.2',
      `expected_origins is ${formatValue(origins)}, not a list of origins as a browser or Android writes them`,
    ),
    ...violationUnless(
      !valid || origins.includes(origin),
      'request.origin',
      'OpenID4VP 1.0 annex A.2',
      `expected_origins is ${formatValue(origins)}; the browser reported ${formatValue(origin)}`,
    ),
  ]
}

/** Android names an app by the hash of its signing certificate, in base64url without padding. */
const androidApp = /^android:apk-key-hash:[A-Za-z0-9_-]{43}$/

function isOrigin(text: unknown): boolean {
  if (typeof text === 'string' && androidApp.test(text)) return true
  return isSafeUrl(text) && new URL(text).origin === text
}
