import {
  type ListDescription,
  type StatusListToken,
  describeList,
  ocspLimits,
  readOcspUri,
} from '@vidimus/protocol'
import type { Db } from '../../engine/db/index.ts'
import type { Egress, OutboundRequest } from '../../engine/egress/index.ts'
import { type CopyRow, type ListKey, hasNewerList, saveCopy } from './store.ts'

type SaveResult =
  | { saved: CopyRow }
  /** Not stored, because it is invalid or has expired. Verifying a credential with it will show why. */
  | { saved: 'rejected' }
  /** A later list is known, so this one must not be used. */
  | { saved: 'outdated' }

/** The issuer's `ttl` counts up to a day. A list without one is fetched hourly. */
const lifetime_seconds = { default: 3600, max: 86_400 }
/**
 * A certificate revocation list or an OCSP response has no `ttl`, and may say that the next one is due in months. It is fetched again
 * within a day; while its authority cannot be reached, a copy serves for a week at most.
 */
export const crlLifetime_seconds = { refresh: 86_400, max: 7 * 86_400 }
const maxTime_seconds = 253_402_300_799

/**
 * Shares a fetched list with the other processes until it expires: at its `exp` or nextUpdate, or `ttl` seconds from now (Token Status
 * List §5.1). A certificate revocation list or an OCSP response is stored only if the authority signed it: over http anybody on the
 * network could have replaced it.
 */
export async function saveList(db: Db, key: ListKey, token: StatusListToken): Promise<SaveResult> {
  const described = describeList(token, key.crl_issuer, key.uri)
  if ('error' in described) return { saved: 'rejected' }
  const { uri, issued_at, expires_at } = described.value
  if (uri !== undefined && URL.parse(uri)?.href !== key.uri) return { saved: 'rejected' }

  const row = await saveCopy(db, {
    ...key,
    token: Buffer.from(token.token),
    media: token.media,
    issued_at: clampTime(issued_at),
    expires_at: expires_at === undefined ? null : clampTime(expires_at),
    ...findLifetime(key, described.value),
  })
  if (row !== undefined) return { saved: row }
  return { saved: (await hasNewerList(db, key, clampTime(issued_at))) ? 'outdated' : 'rejected' }
}

function findLifetime(
  { crl_issuer }: ListKey,
  { ttl_seconds = lifetime_seconds.default }: ListDescription,
): { keep_seconds: number; refresh_seconds: number } {
  if (crl_issuer !== undefined)
    return { keep_seconds: crlLifetime_seconds.max, refresh_seconds: crlLifetime_seconds.refresh }
  const keep_seconds = Math.min(clampTime(ttl_seconds), lifetime_seconds.max)
  return { keep_seconds, refresh_seconds: keep_seconds }
}

/** An issuer may send any number, in CBOR even NaN. Limits it to the years from 1970 to 9999, which PostgreSQL accepts. */
function clampTime(seconds: number): number {
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), maxTime_seconds)
}

/** How long a holder may be kept waiting, and the size of the largest list. */
export const limits = { timeout_ms: 3000, max_response_bytes: 8 * 1024 * 1024 }
/** The size of the largest certificate revocation list. */
export const crlLimits = { ...limits, max_response_bytes: 4 * 1024 * 1024 }

const acceptedTypes = {
  list: 'application/statuslist+jwt, application/statuslist+cwt;q=0.9, application/identifierlist+cwt;q=0.9',
  crl: 'application/pkix-crl',
  ocsp: 'application/ocsp-response',
}

/**
 * Fetches a list from its issuer (Token Status List §8.1, RFC 5280 §4.2.1.13, RFC 6960 §A.1). Follows no redirect: only the URI that the
 * issuer signed is fetched. Undefined unless the response is complete. `onReceived` gets the bytes that arrived.
 */
export async function fetchList(
  egress: Egress,
  list: Pick<ListKey, 'uri' | 'crl_issuer'>,
  onReceived?: OutboundRequest['onReceived'],
): Promise<StatusListToken | undefined> {
  const { media, message, ...outbound } = addressList(list)
  const response = await egress.request({
    ...outbound,
    ...(onReceived && { onReceived }),
    compose: (write) => write(message),
  })
  if (response.outcome !== 'responded' || response.status !== 200 || !response.complete) return undefined
  // Servers give what authorities sign all kinds of types.
  return {
    token: response.body,
    media: media ?? detectMedia(response.headers.content_type, response.body),
  }
}

type ListRequest = Omit<OutboundRequest, 'compose' | 'onReceived'> & {
  message: { headers: Record<string, string>; body?: Buffer }
  /** Absent if the response tells. */
  media?: StatusListToken['media']
}

function addressList({ uri: url, crl_issuer }: Pick<ListKey, 'uri' | 'crl_issuer'>): ListRequest {
  if (crl_issuer === undefined)
    return { method: 'GET', url, ...limits, message: { headers: { accept: acceptedTypes.list } } }
  const ocsp = readOcspUri(url)
  if (ocsp === undefined) {
    const message = { headers: { accept: acceptedTypes.crl } }
    return { method: 'GET', url, ...crlLimits, message, media: 'crl' }
  }
  // Not every responder takes a GET.
  const headers = { accept: acceptedTypes.ocsp, 'content-type': 'application/ocsp-request' }
  return {
    method: 'POST',
    url: ocsp.responder,
    timeout_ms: limits.timeout_ms,
    max_response_bytes: ocspLimits.response_bytes,
    message: { headers, body: ocsp.request },
    media: 'ocsp',
  }
}

/** Some issuers send `application/jwt` or no type at all. A compact JWS starts with the base64url of `{"`. */
function detectMedia(contentType: string | undefined, body: Buffer): StatusListToken['media'] {
  if (contentType?.includes('+cwt') === true) return 'cwt'
  if (contentType?.includes('statuslist+jwt') === true) return 'jwt'
  return body.subarray(0, 3).toString('latin1') === 'eyJ' ? 'jwt' : 'cwt'
}
