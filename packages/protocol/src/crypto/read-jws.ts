import { decodeUtf8 } from '../decode-utf8.ts'
import { InputError } from '../input-error.ts'
import { isObject } from '../json.ts'
import { decodeBase64, expectBase64url } from './base64.ts'

export type Jws = {
  header: Record<string, unknown>
  payload: Record<string, unknown>
  /** The bytes that the signature covers, as received. */
  signed: Buffer
  signature: Buffer
}

/** Parses a compact JWS with a JSON payload (RFC 7515 §5.2) without verifying it. Throws an InputError. */
export function readJws(token: string): Jws {
  const [header, payload, signature, ...rest] = token.split('.', 4)
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0) {
    throw new InputError('a JWT does not have three parts')
  }
  return {
    header: decodeJsonObject(header),
    payload: decodeJsonObject(payload),
    signed: Buffer.from(token.slice(0, header.length + 1 + payload.length), 'latin1'),
    signature: expectBase64url(signature),
  }
}

/** Decodes JSON from base64url text. */
export function decodeJson(text: string): unknown {
  const json = decodeUtf8(expectBase64url(text))
  try {
    return JSON.parse(json)
  } catch {
    // JSON.parse throws if the text is not JSON.
    throw new InputError('a part is not JSON')
  }
}

export function decodeJsonObject(text: string): Record<string, unknown> {
  const value = decodeJson(text)
  if (isObject(value)) return value
  throw new InputError('a part is not a JSON object')
}

const maxCertificates = 10

/** RFC 7515 §4.1.6: base64, not base64url. Empty if the header has no `x5c`. */
export function readX5c({ x5c = [] }: Record<string, unknown>): Buffer[] {
  if (!Array.isArray(x5c) || x5c.length > maxCertificates)
    throw new InputError('x5c is not a list of certificates')
  return x5c.map((text: unknown) => {
    const der = typeof text === 'string' ? decodeBase64(text) : undefined
    if (der === undefined) throw new InputError('x5c contains a value that is not base64')
    return der
  })
}
