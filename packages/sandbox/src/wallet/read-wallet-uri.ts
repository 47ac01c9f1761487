import { violationUnless, formatValue, type Violation } from './violation.ts'

/** The contents of a wallet URI (in a QR code or link): the verifier and the address of its request. */
export type RequestReference = {
  readonly client_id: string
  readonly request_uri: string
  readonly request_uri_method: 'get' | 'post'
}

const allowedParameters = new Set(['client_id', 'request_uri', 'request_uri_method'])

/**
 * What this wallet opens: the general scheme, that of HAIP, that of EU wallets (ETSI TS 119 472-2), those of the EU's reference app, and an
 * https link that its maker has claimed.
 */
const openedProtocols = new Set([
  'openid4vp:',
  'haip-vp:',
  'eu-eaap:',
  'eudi-openid4vp:',
  'mdoc-openid4vp:',
  'https:',
])

/** Reads a link to a wallet. Its parameters are the same with every scheme (OpenID4VP 1.0 §5, RFC 9101 §5). */
export function readWalletUri(walletUri: string): { reference?: RequestReference; violations: Violation[] } {
  const url = URL.parse(walletUri)
  if (url === null || !openedProtocols.has(url.protocol)) {
    return {
      violations: violationUnless(
        false,
        'uri.scheme',
        'OpenID4VP 1.0 §13.1.2',
        'the URI has no scheme of a wallet, such as openid4vp://',
      ),
    }
  }
  const parameters = url.searchParams
  const names = [...parameters.keys()]
  const clientId = parameters.get('client_id') ?? ''
  const requestUri = parameters.get('request_uri') ?? ''
  const method = parameters.get('request_uri_method') ?? 'get'
  const violations = [
    ...violationUnless(
      names.every((name) => allowedParameters.has(name)),
      'uri.parameters',
      'RFC 9101 §5',
      `${formatValue(names)}: only client_id, request_uri and request_uri_method are allowed with a request object`,
    ),
    ...violationUnless(
      new Set(names).size === names.length,
      'uri.parameters',
      'RFC 6749 §3.1',
      'a parameter is repeated',
    ),
    ...violationUnless(clientId !== '', 'uri.client_id', 'OpenID4VP 1.0 §5.2', 'client_id is missing'),
    ...violationUnless(
      isSafeUrl(requestUri),
      'uri.request_uri',
      'RFC 9101 §5.2',
      `${formatValue(requestUri)} is not an https URL (http is allowed on loopback addresses only)`,
    ),
    ...violationUnless(
      method === 'get' || method === 'post',
      'uri.request_uri_method',
      'OpenID4VP 1.0 §5.1',
      `${formatValue(method)} is neither get nor post`,
    ),
  ]
  if (violations.length > 0) return { violations }
  return {
    reference: {
      client_id: clientId,
      request_uri: requestUri,
      request_uri_method: method === 'post' ? 'post' : 'get',
    },
    violations,
  }
}

/** Requires https, except on loopback addresses, where developers have no certificate. */
export function isSafeUrl(text: unknown): text is string {
  const url = typeof text === 'string' ? URL.parse(text) : null
  if (url === null || url.hash !== '') return false
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopback)
}
