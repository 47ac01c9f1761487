import { hash } from 'node:crypto'
import { writeCbor } from '../cbor/write.ts'

type Handover = {
  client_id: string
  nonce: string
  response_uri: string
  /** RFC 7638 SHA-256 thumbprint of the key the response was encrypted to, base64url; absent if it was not encrypted. */
  encryption_key_thumbprint?: string
}

/** The session transcript that a device signs for a redirect flow (OpenID4VP 1.0 §B.2.6.1). */
export function buildSessionTranscript(handover: Handover): Buffer {
  const { client_id, nonce, response_uri } = handover
  const info = writeCbor([client_id, nonce, decodeThumbprint(handover), response_uri])
  return buildTranscript('OpenID4VPHandover', info)
}

type DcApiHandover = Pick<Handover, 'nonce' | 'encryption_key_thumbprint'> & { origin: string }

/** The same for a response through the Digital Credentials API (§B.2.6.2). */
export function buildDcApiSessionTranscript(handover: DcApiHandover): Buffer {
  const { origin, nonce } = handover
  return buildTranscript('OpenID4VPDCAPIHandover', writeCbor([origin, nonce, decodeThumbprint(handover)]))
}

function decodeThumbprint({
  encryption_key_thumbprint,
}: Pick<Handover, 'encryption_key_thumbprint'>): Buffer | null {
  return encryption_key_thumbprint === undefined ? null : Buffer.from(encryption_key_thumbprint, 'base64url')
}

/** The first two elements, for device engagement in a proximity flow, are null. */
function buildTranscript(name: string, info: Buffer): Buffer {
  return writeCbor([null, null, [name, hash('sha256', info, 'buffer')]])
}
