import type { RequestObject } from './build.ts'
import type { VerifierIdentity } from './identify.ts'

/** Signs with the verifier's key, wherever that is kept: ES256, the two numbers one after the other (RFC 7518 §3.4). */
export type Sign = (bytes: Uint8Array) => Promise<Uint8Array>

const SIGNATURE_BYTES = 64

/** The request object as the wallet fetches it: a compact JWS (RFC 9101 §4, OpenID4VP 1.0 §5.9.3). */
export async function signRequest(
  request: RequestObject,
  { x5c }: VerifierIdentity,
  sign: Sign,
): Promise<string> {
  const signed = `${headerOf(x5c)}.${encode(JSON.stringify(request))}`
  const signature = await sign(Buffer.from(signed))
  if (signature.length !== SIGNATURE_BYTES) {
    throw new Error(`an ES256 signature has ${SIGNATURE_BYTES} bytes, got ${signature.length}`)
  }
  return `${signed}.${encode(signature)}`
}

const headers = new WeakMap<readonly string[], string>()

/** The same for every request of an identity, and longer than all the rest. */
function headerOf(x5c: readonly string[]): string {
  let header = headers.get(x5c)
  if (header === undefined) {
    header = encode(JSON.stringify({ typ: 'oauth-authz-req+jwt', alg: 'ES256', x5c }))
    headers.set(x5c, header)
  }
  return header
}

function encode(bytes: string | Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
