import type { StatusListToken } from '@vidimus/protocol'
import type { Egress } from '../../platform/egress/open.ts'

/** What a wallet's holder may be kept waiting for, and what the largest list needs. */
export const limits = { timeout_ms: 3000, max_response_bytes: 8 * 1024 * 1024 }

/**
 * Asks the issuer for a list (Token Status List §8.1). No redirect is followed: the address that the issuer signed is the
 * address that is asked. Undefined unless the answer is whole.
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

/** Issuers in the field also say `application/jwt` or nothing. A compact JWS begins with the base64url of `{"`. */
function detectMedia(contentType: string | undefined, body: Buffer): StatusListToken['media'] {
  if (contentType?.includes('statuslist+cwt') === true) return 'cwt'
  if (contentType?.includes('statuslist+jwt') === true) return 'jwt'
  return body.subarray(0, 3).toString('latin1') === 'eyJ' ? 'jwt' : 'cwt'
}
