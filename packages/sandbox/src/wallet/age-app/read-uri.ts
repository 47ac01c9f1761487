import type { AgeAppRequest } from '../authorization-request.ts'
import { checkRandomValue } from '../check-parameters.ts'
import { checkFormats } from '../check-metadata.ts'
import { checkQuery } from '../check-query.ts'
import { isSafeUrl } from '../read-wallet-uri.ts'
import { formatValue, isObject, violationUnless, type Violation } from '../violation.ts'

const place = 'EU age verification profile 1.0.8 annex A.5'

const allowedParameters = new Set([
  'client_id',
  'client_metadata',
  'dcql_query',
  'nonce',
  'response_mode',
  'response_type',
  'response_uri',
  'state',
])

/** Reads the request in an `av://` URI. It is not signed: the profile relies on TLS to the host of `response_uri`. */
export function readAgeAppUri(uri: string): { request?: AgeAppRequest; violations: Violation[] } {
  const url = URL.parse(uri)
  if (url?.protocol !== 'av:')
    return { violations: violationUnless(false, 'uri.scheme', place, 'the URI is not av://') }
  const names = [...url.searchParams.keys()]
  const parameters = Object.fromEntries(url.searchParams)
  const query = checkQuery(parseJson(parameters['dcql_query'] ?? ''))
  const violations = [
    ...violationUnless(
      names.every((name) => allowedParameters.has(name)) && new Set(names).size === names.length,
      'uri.parameters',
      place,
      `${formatValue(names)}: a parameter is unknown or repeated`,
    ),
    ...checkParameters(parameters),
    ...checkMetadata(parameters['client_metadata']),
    ...query.violations,
    ...violationUnless(
      query.dcql_query?.credentials.every(({ format }) => format === 'mso_mdoc') ?? true,
      'dcql.format',
      place,
      'the app knows only the format mso_mdoc',
    ),
  ]
  if (violations.length > 0 || query.dcql_query === undefined) return { violations }
  const { client_id = '', nonce = '', response_uri = '', state } = parameters
  const request = { client_id, nonce, response_uri, dcql_query: query.dcql_query }
  return {
    request: { channel: 'age_app', ...request, ...(state !== undefined && { state }) },
    violations,
  }
}

function checkParameters(parameters: Readonly<Record<string, string>>): Violation[] {
  const { client_id, nonce, response_mode, response_type, response_uri, state } = parameters
  return [
    ...violationUnless(
      response_type === 'vp_token',
      'request.response_type',
      place,
      `response_type is ${formatValue(response_type)}`,
    ),
    ...violationUnless(
      response_mode === 'direct_post',
      'request.response_mode',
      place,
      `response_mode is ${formatValue(response_mode)}, not "direct_post"`,
    ),
    ...violationUnless(
      isSafeUrl(response_uri),
      'request.response_uri',
      place,
      `response_uri is ${formatValue(response_uri)}, not an https URL`,
    ),
    ...violationUnless(
      client_id === `redirect_uri:${response_uri}`,
      'request.client_id',
      'OpenID4VP 1.0 §5.9.3',
      `client_id is ${formatValue(client_id)}, not redirect_uri: and the response_uri`,
    ),
    ...checkRandomValue('nonce', nonce),
    ...(state === undefined ? [] : checkRandomValue('state', state)),
  ]
}

/** The verifier's metadata, if it gives any: the formats only, because the response is not encrypted. */
function checkMetadata(text: string | undefined): Violation[] {
  if (text === undefined) return []
  const metadata = parseJson(text)
  return isObject(metadata) && Object.keys(metadata).join() === 'vp_formats_supported'
    ? checkFormats(metadata['vp_formats_supported'], ['mso_mdoc'])
    : violationUnless(
        false,
        'client_metadata.members',
        place,
        `${formatValue(metadata)} is not {vp_formats_supported}`,
      )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // checkQuery reports a query that is not JSON.
    return undefined
  }
}
