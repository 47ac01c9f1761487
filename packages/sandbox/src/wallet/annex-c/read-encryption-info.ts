import { createPublicKey } from 'node:crypto'
import type { Cbor } from '../../cbor/encode.ts'
import type { PublicJwk } from '../../keys/signing-key.ts'
import { violationUnless, type Violation } from '../violation.ts'
import { isMapOf, readBase64urlCbor } from './read-base64url-cbor.ts'

const place = 'ISO/IEC TS 18013-7 annex C'
const minNonce_bytes = 16

/** Reads `["dcapi", {nonce, recipientPublicKey}]`: the key that the response must be encrypted to. */
export function readEncryptionInfo(text: unknown): {
  recipient?: { nonce: string; recipient_key: PublicJwk }
  violations: Violation[]
} {
  const item = readBase64urlCbor(text)
  const [name, parameters] = Array.isArray(item) && item.length === 2 ? (item as Cbor[]) : []
  if (name !== 'dcapi' || !isMapOf(parameters, ['nonce', 'recipientPublicKey'])) {
    const message = 'encryptionInfo is not ["dcapi", {nonce, recipientPublicKey}] in base64url'
    return { violations: violationUnless(false, 'annex_c.encryption_info', place, message) }
  }
  const nonce = parameters.get('nonce')
  const key = toPublicKey(parameters.get('recipientPublicKey'))
  const violations = [
    ...violationUnless(
      nonce instanceof Uint8Array && nonce.length >= minNonce_bytes,
      'annex_c.nonce',
      place,
      `nonce is not a byte string of at least ${minNonce_bytes} bytes`,
    ),
    ...violationUnless(
      key !== undefined,
      'annex_c.recipient_key',
      'RFC 9053 §7.1',
      'recipientPublicKey is not a public P-256 key',
    ),
  ]
  if (violations.length > 0 || key === undefined || !(nonce instanceof Uint8Array)) return { violations }
  return { recipient: { nonce: toText(nonce), recipient_key: key }, violations }
}

/** A COSE_Key: kty EC2, curve P-256, and both coordinates. */
function toPublicKey(key: Cbor | undefined): PublicJwk | undefined {
  if (!isMapOf(key, [1, -1, -2, -3]) || key.get(1) !== 2 || key.get(-1) !== 1) return undefined
  const [x, y] = [key.get(-2), key.get(-3)]
  if (!(x instanceof Uint8Array && y instanceof Uint8Array) || x.length !== 32 || y.length !== 32)
    return undefined
  const jwk = { kty: 'EC', crv: 'P-256', x: toText(x), y: toText(y) }
  try {
    createPublicKey({ key: jwk, format: 'jwk' })
    return jwk
  } catch {
    // The point is not on the curve.
    return undefined
  }
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
