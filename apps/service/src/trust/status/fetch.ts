import type { StatusListToken } from '@vidimus/protocol'
import type { Egress, OutboundRequest } from '../../engine/egress/index.ts'
import type { ListKey } from './store.ts'

/** How long a holder may be kept waiting, and the size of the largest list. */
export const limits = { timeout_ms: 3000, max_response_bytes: 8 * 1024 * 1024 }
/** The size of the largest certificate revocation list. */
export const crlLimits = { ...limits, max_response_bytes: 4 * 1024 * 1024 }

const acceptedTypes = {
  list: 'application/statuslist+jwt, application/statuslist+cwt;q=0.9, application/identifierlist+cwt;q=0.9',
  crl: 'application/pkix-crl',
}

/**
 * Fetches a list from its issuer (Token Status List §8.1, RFC 5280 §4.2.1.13). Follows no redirect: only the URI that the issuer
 * signed is fetched. Undefined unless the response is complete. `onReceived` gets the bytes that arrived.
 */
export async function fetchList(
  egress: Egress,
  { uri, crl_issuer }: Pick<ListKey, 'uri' | 'crl_issuer'>,
  onReceived?: OutboundRequest['onReceived'],
): Promise<StatusListToken | undefined> {
  const isCrl = crl_issuer !== undefined
  const response = await egress.request({
    method: 'GET',
    url: uri,
    ...(isCrl ? crlLimits : limits),
    ...(onReceived && { onReceived }),
    compose: (write) => write({ headers: { accept: isCrl ? acceptedTypes.crl : acceptedTypes.list } }),
  })
  if (response.outcome !== 'answered' || response.status !== 200 || !response.complete) return undefined
  // Servers give revocation lists all kinds of types.
  if (isCrl) return { token: response.body, media: 'crl' }
  return { token: response.body, media: detectMedia(response.headers.content_type, response.body) }
}

/** Some issuers send `application/jwt` or no type at all. A compact JWS starts with the base64url of `{"`. */
function detectMedia(contentType: string | undefined, body: Buffer): StatusListToken['media'] {
  if (contentType?.includes('+cwt') === true) return 'cwt'
  if (contentType?.includes('statuslist+jwt') === true) return 'jwt'
  return body.subarray(0, 3).toString('latin1') === 'eyJ' ? 'jwt' : 'cwt'
}
