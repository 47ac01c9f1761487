import { hash } from 'node:crypto'
import { writeCbor, type CborParts } from '../cbor/write.ts'
import type { ProximityBinding, ResponseBinding } from '../presentation.ts'

/** The session transcript that a device signs. The first two elements are null, except with a reader nearby, who knows all three. */
export function buildSessionTranscript(binding: ResponseBinding): Buffer {
  if (binding.channel === 'proximity') return Buffer.from(binding.transcript)
  const [name, info] = listHandoverInfo(binding)
  return writeCbor([null, null, [name, hash('sha256', writeCbor(info), 'buffer')]])
}

function listHandoverInfo(
  binding: Exclude<ResponseBinding, ProximityBinding>,
): [name: string, info: CborParts[]] {
  switch (binding.channel) {
    case 'redirect': {
      const { client_id, nonce, encryption_key_thumbprint: thumbprint, response_uri } = binding
      // OpenID4VP 1.0 §B.2.6.1: null if the response is not encrypted.
      const key = thumbprint === undefined ? null : decode(thumbprint)
      return ['OpenID4VPHandover', [client_id, nonce, key, response_uri]]
    }
    case 'dc_api': {
      // §B.2.6.2: the origin without the prefix that an audience has.
      const { origin, nonce, encryption_key_thumbprint } = binding
      return ['OpenID4VPDCAPIHandover', [origin, nonce, decode(encryption_key_thumbprint)]]
    }
    case 'annex_c':
      // ISO/IEC TS 18013-7 Annex C: EncryptionInfo as the text that was sent.
      return ['dcapi', [binding.encryption_info, binding.origin]]
  }
}

function decode(thumbprint: string): Buffer {
  return Buffer.from(thumbprint, 'base64url')
}
