import { hash } from 'node:crypto'
import { writeCbor } from '../cbor/write.ts'

type Handover = {
  client_id: string
  nonce: string
  response_uri: string
  /** RFC 7638 SHA-256 thumbprint of the key the answer was encrypted to, base64url; absent when it was not encrypted. */
  encryption_key_thumbprint?: string
}

/** What a device signs over when it answers by redirect (OpenID4VP 1.0 §B.2.6.1). */
export function buildSessionTranscript(handover: Handover): Buffer {
  const { client_id, nonce, response_uri } = handover
  const info = writeCbor([client_id, nonce, decodeThumbprint(handover), response_uri])
  return buildTranscript('OpenID4VPHandover', info)
}

type DcApiHandover = Pick<Handover, 'nonce' | 'encryption_key_thumbprint'> & { origin: string }

/** The same for an answer through the Digital Credentials API (§B.2.6.2). */
export function buildDcApiSessionTranscript(handover: DcApiHandover): Buffer {
  const { origin, nonce } = handover
  return buildTranscript('OpenID4VPDCAPIHandover', writeCbor([origin, nonce, decodeThumbprint(handover)]))
}

function decodeThumbprint({
  encryption_key_thumbprint,
}: Pick<Handover, 'encryption_key_thumbprint'>): Buffer | null {
  return encryption_key_thumbprint === undefined ? null : Buffer.from(encryption_key_thumbprint, 'base64url')
}

/** The first two places, for the engagement of a reader in the same room, stay empty. */
function buildTranscript(name: string, info: Buffer): Buffer {
  return writeCbor([null, null, [name, hash('sha256', info, 'buffer')]])
}
