import type { StatusListToken } from '@vidimus/protocol'
import type { Egress } from '../../platform/egress/open.ts'

/** How long a holder may be kept waiting, and the size of the largest list. */
export const limits = { timeout_ms: 3000, max_response_bytes: 8 * 1024 * 1024 }

/**
 * Fetches a list from its issuer (Token Status List §8.1). Follows no redirect: only the URI that the issuer signed is
 * fetched. Undefined unless the response is complete.
 */
export async function fetchStatusList(egress: Egress, uri: string): Promise<StatusListToken | undefined> {
  const response = await egress.request({
    method: 'GET',
    url: uri,
    ...limits,
    compose: (write) =>
      write({ headers: { accept: 'application/statuslist+jwt, application/statuslist+cwt;q=0.9' } }),
  })
  if (response.outcome !== 'answered' || response.status !== 200 || !response.complete) return undefined
  return { token: response.body, media: detectMedia(response.headers.content_type, response.body) }
}

/** Some issuers send `application/jwt` or no type at all. A compact JWS starts with the base64url of `{"`. */
function detectMedia(contentType: string | undefined, body: Buffer): StatusListToken['media'] {
  if (contentType?.includes('statuslist+cwt') === true) return 'cwt'
  if (contentType?.includes('statuslist+jwt') === true) return 'jwt'
  return body.subarray(0, 3).toString('latin1') === 'eyJ' ? 'jwt' : 'cwt'
}
