import { createHash } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import { encodeCbor, type Cbor } from '../cbor/encode.ts'
import type { PublicJwk } from '../keys/signing-key.ts'
import type { VerificationBinding, WalletRequest } from './authorization-request.ts'
import { proximityTranscript } from './proximity/session.ts'

/** What a proof of possession for this request must cover. */
export async function bindToRequest(request: WalletRequest): Promise<VerificationBinding> {
  switch (request.channel) {
    case 'redirect':
    case 'age_app': {
      const { client_id, nonce, response_uri } = request
      const thumbprint = request.channel === 'redirect' ? await hashKey(request.encryption.jwk) : null
      return { kind: 'client', client_id, nonce, response_uri, thumbprint }
    }
    case 'dc_api': {
      const { origin, nonce, encryption } = request
      return { kind: 'origin', origin, nonce, thumbprint: await hashKey(encryption.jwk) }
    }
    case 'annex_c':
      return { kind: 'annex_c', origin: request.origin, encryption_info: request.encryption_info }
    default:
      return request satisfies never
  }
}

/** The audience of a key binding JWT (OpenID4VP 1.0 annex B.3.6, A.4). Annex C has no SD-JWT VCs, and neither has a reader nearby. */
export function keyBindingAudience(verification: VerificationBinding): string {
  if (verification.kind === 'proximity') throw new TypeError('A reader nearby gets no SD-JWT VC.')
  return verification.kind === 'client' ? verification.client_id : `origin:${verification.origin}`
}

/** What a device signs: the handover binds the document to the verifier, the request and the encryption key. */
export function sessionTranscript(verification: VerificationBinding): Cbor[] {
  switch (verification.kind) {
    // OpenID4VP 1.0 annex B.2.6.1.
    case 'client':
      return transcript('OpenID4VPHandover', [
        verification.client_id,
        verification.nonce,
        verification.thumbprint,
        verification.response_uri,
      ])
    // OpenID4VP 1.0 annex B.2.6.2: the origin has no prefix here.
    case 'origin':
      return transcript('OpenID4VPDCAPIHandover', [
        verification.origin,
        verification.nonce,
        verification.thumbprint,
      ])
    // ISO/IEC TS 18013-7 annex C.5.
    case 'annex_c':
      return transcript('dcapi', [verification.encryption_info, verification.origin])
    case 'proximity':
      return proximityTranscript(verification.session)
    default:
      return verification satisfies never
  }
}

function transcript(name: string, info: readonly Cbor[]): Cbor[] {
  return [null, null, [name, createHash('sha256').update(encodeCbor(info)).digest()]]
}

async function hashKey({ kty, crv, x, y }: PublicJwk): Promise<Uint8Array> {
  const thumbprint = await calculateJwkThumbprint({ kty, crv, x, ...(y === undefined ? {} : { y }) })
  return Buffer.from(thumbprint, 'base64url')
}
