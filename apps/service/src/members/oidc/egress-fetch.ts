import type { CustomFetch } from 'openid-client'
import type { Egress } from '../../platform/egress/open.ts'

const timeout_ms = 10_000
/** Metadata, keys and tokens are a few kilobytes. */
const max_response_bytes = 512 * 1024
const bodylessStatuses = new Set([204, 205, 304])

/** The library's way out, through ours: every outbound byte leaves through egress. No redirect is followed. */
export function egressFetch(egress: Pick<Egress, 'request'>): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const requestBody = body instanceof URLSearchParams ? body.toString() : body
    if (typeof requestBody !== 'string' && requestBody !== undefined && requestBody !== null)
      throw new TypeError('a body of another kind')
    const result = await egress.request({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      timeout_ms,
      max_response_bytes,
      ...(signal !== undefined && { signal }),
      compose: (write) => write({ headers, ...(typeof requestBody === 'string' && { body: requestBody }) }),
    })
    if (result.outcome !== 'answered' || !result.complete)
      throw new TypeError(`the provider: ${result.outcome}`)
    return new Response(bodylessStatuses.has(result.status) ? null : new Uint8Array(result.body), {
      status: result.status,
      headers: { 'content-type': result.headers.content_type ?? '' },
    })
  }
}
