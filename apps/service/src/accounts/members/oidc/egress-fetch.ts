import type { CustomFetch } from 'openid-client'
import type { Egress } from '../../../engine/egress/index.ts'

const timeout_ms = 10_000
/** Metadata, keys and tokens take a few kilobytes. */
const max_response_bytes = 512 * 1024
const bodylessStatuses = new Set([204, 205, 304])

/** Sends the OpenID client's requests through egress, like all outbound traffic. Redirects are not followed. */
export function egressFetch(egress: Pick<Egress, 'request'>): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const requestBody = body instanceof URLSearchParams ? body.toString() : body
    if (typeof requestBody !== 'string' && requestBody !== undefined && requestBody !== null)
      throw new TypeError('unsupported request body')
    const result = await egress.request({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      timeout_ms,
      max_response_bytes,
      ...(signal !== undefined && { signal }),
      compose: (write) => write({ headers, ...(typeof requestBody === 'string' && { body: requestBody }) }),
    })
    if (result.outcome !== 'answered' || !result.complete)
      throw new TypeError(`request to the identity provider failed: ${result.outcome}`)
    return new Response(bodylessStatuses.has(result.status) ? null : new Uint8Array(result.body), {
      status: result.status,
      headers: { 'content-type': result.headers.content_type ?? '' },
    })
  }
}
