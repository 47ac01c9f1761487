import { createHash } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import { encodeCbor, type Cbor } from '../cbor/encode.ts'
import type { PublicJwk } from '../keys/signing-key.ts'
import type { SessionBinding, WalletRequest } from './authorization-request.ts'

/** What a proof of possession for this request must cover. */
export async function bindToRequest(request: WalletRequest): Promise<SessionBinding> {
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

/** The audience of a key binding JWT (OpenID4VP 1.0 annex B.3.6, A.4). Annex C has no SD-JWT VCs. */
export function keyBindingAudience(session: SessionBinding): string {
  return session.kind === 'client' ? session.client_id : `origin:${session.origin}`
}

/** What a device signs: the handover binds the document to the verifier, the request and the encryption key. */
export function sessionTranscript(session: SessionBinding): Cbor[] {
  switch (session.kind) {
    // OpenID4VP 1.0 annex B.2.6.1.
    case 'client':
      return transcript('OpenID4VPHandover', [
        session.client_id,
        session.nonce,
        session.thumbprint,
        session.response_uri,
      ])
    // OpenID4VP 1.0 annex B.2.6.2: the origin has no prefix here.
    case 'origin':
      return transcript('OpenID4VPDCAPIHandover', [session.origin, session.nonce, session.thumbprint])
    // ISO/IEC TS 18013-7 annex C.5.
    case 'annex_c':
      return transcript('dcapi', [session.encryption_info, session.origin])
    default:
      return session satisfies never
  }
}

function transcript(name: string, info: readonly Cbor[]): Cbor[] {
  return [null, null, [name, createHash('sha256').update(encodeCbor(info)).digest()]]
}

async function hashKey({ kty, crv, x, y }: PublicJwk): Promise<Uint8Array> {
  const thumbprint = await calculateJwkThumbprint({ kty, crv, x, ...(y === undefined ? {} : { y }) })
  return Buffer.from(thumbprint, 'base64url')
}
