import type { DcApiRequestObject } from './build-dc-api.ts'
import type { RequestObject, VerifierAttestation } from './build.ts'
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
  const header = encodeHeader(x5c)
  const payload = encodeBase64url(JSON.stringify(request))
  return `${header}.${payload}.${await signParts(header, payload, sign)}`
}

/** An identity that signs beside others, with the attestations that belong to it. */
export type RequestIdentity = VerifierIdentity & {
  sign: RequestSigner
  verifier_info?: VerifierAttestation[]
}

/** General JWS JSON (RFC 7515 §7.2.1). */
export type MultiSignedRequest = { payload: string; signatures: { protected: string; signature: string }[] }

/**
 * Signs one request with several identities, of which a wallet needs to know one. What belongs to an identity is in its header
 * instead of the payload (OpenID4VP 1.0 §A.3.2.2).
 */
export async function signRequestByAll(
  { client_id: _, verifier_info: __, ...shared }: DcApiRequestObject,
  identities: readonly RequestIdentity[],
): Promise<MultiSignedRequest> {
  const payload = encodeBase64url(JSON.stringify(shared))
  const signatures = identities.map(async ({ x5c, sign, client_id, verifier_info = [] }) => {
    const header = encodeBase64url(
      JSON.stringify({ ...headerOf(x5c), client_id, ...(verifier_info.length > 0 && { verifier_info }) }),
    )
    return { protected: header, signature: await signParts(header, payload, sign) }
  })
  return { payload, signatures: await Promise.all(signatures) }
}

async function signParts(header: string, payload: string, sign: RequestSigner): Promise<string> {
  const signature = await sign(Buffer.from(`${header}.${payload}`))
  if (signature.length !== signature_bytes) {
    throw new Error(`an ES256 signature has ${signature_bytes} bytes, got ${signature.length}`)
  }
  return encodeBase64url(signature)
}

const encodedHeaders = new WeakMap<readonly string[], string>()

/** Cached: it is the same for every request of an identity, and the longest part. */
function encodeHeader(x5c: readonly string[]): string {
  let header = encodedHeaders.get(x5c)
  if (header === undefined) {
    header = encodeBase64url(JSON.stringify(headerOf(x5c)))
    encodedHeaders.set(x5c, header)
  }
  return header
}

function headerOf(x5c: readonly string[]) {
  return { typ: 'oauth-authz-req+jwt', alg: 'ES256', x5c }
}

function encodeBase64url(bytes: string | Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
