import type { DcApiRequestObject } from './build-dc-api.ts'
import type { RequestObject } from './build.ts'
import type { VerifierIdentity } from './identify.ts'

/** Signs with the verifier's key, wherever it is stored: ES256, r and s concatenated (RFC 7518 §3.4). */
export type RequestSigner = (bytes: Uint8Array) => Promise<Uint8Array>

const signature_bytes = 64

/** Signs the request object that the wallet receives: a compact JWS (RFC 9101 §4, OpenID4VP 1.0 §5.9.3). */
export async function signRequest(
  request: RequestObject | DcApiRequestObject,
  { x5c }: VerifierIdentity,
  sign: RequestSigner,
): Promise<string> {
  const signed = `${encodeHeader(x5c)}.${encodeBase64url(JSON.stringify(request))}`
  const signature = await sign(Buffer.from(signed))
  if (signature.length !== signature_bytes) {
    throw new Error(`an ES256 signature has ${signature_bytes} bytes, got ${signature.length}`)
  }
  return `${signed}.${encodeBase64url(signature)}`
}

const encodedHeaders = new WeakMap<readonly string[], string>()

/** Cached: it is the same for every request of an identity, and the longest part. */
function encodeHeader(x5c: readonly string[]): string {
  let header = encodedHeaders.get(x5c)
  if (header === undefined) {
    header = encodeBase64url(JSON.stringify({ typ: 'oauth-authz-req+jwt', alg: 'ES256', x5c }))
    encodedHeaders.set(x5c, header)
  }
  return header
}

function encodeBase64url(bytes: string | Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
