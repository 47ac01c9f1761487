import { randomBytes } from 'node:crypto'
import { base64url } from '../keys/sign-jws.ts'
import { violationUnless, formatValue, type Violation } from './violation.ts'
import type { RequestReference } from './read-wallet-uri.ts'

/** The HTTP client. All requests of the wallet go through it. */
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; redirect: 'manual' },
) => Promise<{ status: number; headers: { get(name: string): string | null }; text(): Promise<string> }>

export type FetchedRequest = {
  readonly status: number
  readonly body: string
  /** Sent with POST. The request object must repeat it. */
  readonly wallet_nonce?: string
  readonly violations: readonly Violation[]
}

const mediaType = 'application/oauth-authz-req+jwt'

/** Larger than any request object with 20 credentials and 200 claims. */
const maxRequest_characters = 262_144

const walletMetadata = JSON.stringify({
  client_id_prefixes_supported: ['x509_hash', 'x509_san_dns'],
  request_object_signing_alg_values_supported: ['ES256'],
  vp_formats_supported: { 'dc+sd-jwt': {}, mso_mdoc: {} },
})

/** Fetches the request object, by POST with a new `wallet_nonce` if the verifier offers it (OpenID4VP 1.0 §5.10). */
export async function fetchRequest(fetch: Fetch, reference: RequestReference): Promise<FetchedRequest> {
  const { request_uri, request_uri_method } = reference
  if (request_uri_method === 'get') {
    const response = await fetch(request_uri, {
      method: 'GET',
      headers: { accept: mediaType },
      redirect: 'manual',
    })
    return checkFetchedRequest(response)
  }
  const walletNonce = base64url(randomBytes(16))
  const response = await fetch(request_uri, {
    method: 'POST',
    headers: { accept: mediaType, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ wallet_nonce: walletNonce, wallet_metadata: walletMetadata }).toString(),
    redirect: 'manual',
  })
  return { ...(await checkFetchedRequest(response)), wallet_nonce: walletNonce }
}

async function checkFetchedRequest(response: Awaited<ReturnType<Fetch>>): Promise<FetchedRequest> {
  const { status, headers } = response
  const body = await response.text()
  if (status !== 200) return { status, body, violations: [] }
  const contentType = headers.get('content-type')
  const cacheControl = headers.get('cache-control')
  return {
    status,
    body,
    violations: [
      ...violationUnless(
        contentType?.split(';')[0]?.trim() === mediaType,
        'request.content_type',
        'OpenID4VP 1.0 §5.10.1',
        `Content-Type is ${formatValue(contentType)}, not ${mediaType}`,
      ),
      ...violationUnless(
        cacheControl?.includes('no-store') === true,
        'request.cache_control',
        'RFC 9101 §10.2',
        `Cache-Control is ${formatValue(cacheControl)}; it must include no-store, because a signed request must not be cached`,
      ),
      ...violationUnless(
        body.length <= maxRequest_characters,
        'request.size',
        'RFC 9101 §10.4',
        `${body.length} characters exceed the limit of ${maxRequest_characters}`,
      ),
    ],
  }
}
