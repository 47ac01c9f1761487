import { openCrlOf } from '../crl/open.ts'
import type { ReadResult } from '../input-error.ts'
import { openOcspResponse } from '../ocsp/open.ts'
import { readOcspUri } from '../ocsp/request.ts'
import type { StatusListToken } from '../presentation.ts'
import { readCertificate } from '../x509/read-certificate.ts'
import { openIdentifierList } from './open-identifier-list.ts'
import { openStatusList } from './open.ts'

/** What a cache needs to know about a list that somebody signed. Times are in seconds since 1970. */
export type ListDescription = {
  /** The URI that it was issued for. A certificate revocation list need not name one. */
  uri?: string
  issued_at: number
  expires_at: number | undefined
  ttl_seconds: number | undefined
  /** How much memory it takes once it is open. */
  size_bytes: number
}

/** A serial number or an identifier in a `Set`, roughly. */
const bytesPerEntry = 96
/** The shortest entry of a certificate revocation list: a serial number and a date. */
const minCrlEntry_bytes = 20

/**
 * Opens a status list, an identifier list or, if the certificate of its issuer is given (DER), a certificate revocation list or the OCSP
 * response of this URI. An error if it is none of them or its signature is wrong.
 */
export function describeList(
  token: StatusListToken,
  crlIssuer?: Uint8Array,
  uri = '',
): ReadResult<ListDescription> {
  if (crlIssuer !== undefined)
    return token.media === 'ocsp'
      ? describeOcspResponse(token, crlIssuer, uri)
      : describeCrl(token, crlIssuer)
  const status = openStatusList(token)
  if ('value' in status) return { value: describe(token, status.value, status.value.bytes.length) }
  const identifiers = openIdentifierList(token)
  if ('error' in identifiers) return status
  return { value: describe(token, identifiers.value, identifiers.value.identifiers.size * bytesPerEntry) }
}

function describeCrl(token: StatusListToken, issuer: Uint8Array): ReadResult<ListDescription> {
  const opened = openCrlOf(token, issuer)
  if ('error' in opened) return opened
  const { issued_at, next_update, entries } = opened.value
  const entries_bytes = ((entries?.length ?? 0) / minCrlEntry_bytes) * bytesPerEntry
  return {
    value: {
      issued_at,
      expires_at: next_update,
      ttl_seconds: undefined,
      size_bytes: token.token.length + entries_bytes,
    },
  }
}

function describeOcspResponse(
  token: StatusListToken,
  issuerDer: Uint8Array,
  uri: string,
): ReadResult<ListDescription> {
  const { certificate_id = '' } = readOcspUri(uri) ?? {}
  const issuer = readCertificate(issuerDer)
  if ('error' in issuer) return issuer
  const opened = openOcspResponse(token, { certificate_id, issuer: issuer.value })
  if ('error' in opened) return opened
  if (opened.value.status === 'refused') return { error: 'the responder cannot tell' }
  const { issued_at, expires_at } = opened.value
  return { value: { issued_at, expires_at, ttl_seconds: undefined, size_bytes: token.token.length } }
}

function describe(
  { token }: StatusListToken,
  { uri, issued_at, expires_at, ttl_seconds }: Omit<ListDescription, 'size_bytes'>,
  opened_bytes: number,
): ListDescription {
  return {
    ...(uri !== undefined && { uri }),
    issued_at,
    expires_at,
    ttl_seconds,
    size_bytes: token.length + opened_bytes,
  }
}
