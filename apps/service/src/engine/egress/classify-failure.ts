import { AddressRefusedError, NameResolutionError } from './dial.ts'

/** Why a request failed. The code comes from Node or undici; nothing the receiver sent is repeated. */
export type OutboundFailure =
  | { outcome: 'refused'; reason: 'not_http' | 'port' | 'not_public' }
  | { outcome: 'failed'; reason: 'name' | 'connection' | 'tls' | 'http'; code: string }

/** Classifies an error of dialling or exchanging for the delivery log. */
export function classifyFailure(error: unknown): OutboundFailure {
  if (error instanceof AddressRefusedError) return { outcome: 'refused', reason: 'not_public' }
  if (error instanceof NameResolutionError) return { outcome: 'failed', reason: 'name', code: error.code }
  const code = errorCode(error)
  return { outcome: 'failed', reason: failureReason(code), code }
}

/** undici's parser error has no code, so its name is used. Its message and data contain bytes from the receiver. */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN'
  const code = 'code' in error ? error.code : error.name
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : error.name.slice(0, 60)
}

/** OpenSSL's codes for chain errors (`CERT_HAS_EXPIRED`, `DEPTH_ZERO_SELF_SIGNED_CERT`) have no common prefix. */
const tlsCodes =
  /^(?:ERR_(?:TLS|SSL|OSSL)|EPROTO$|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)|CERT|CRL|HOSTNAME/
/** undici fails with an assertion on some invalid responses. */
const httpCodes = /^(?:ANSWER_TOO_LONG|HTTPParserError|HPE_|ERR_ASSERTION|UND_ERR_HEADERS|UND_ERR_RES)/

function failureReason(code: string): 'connection' | 'tls' | 'http' {
  if (tlsCodes.test(code)) return 'tls'
  return httpCodes.test(code) ? 'http' : 'connection'
}
