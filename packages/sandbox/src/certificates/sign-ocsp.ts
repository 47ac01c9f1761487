import type { KeyObject } from 'node:crypto'
import { signDer, type SigningKey } from '../keys/signing-key.ts'
import {
  bitString,
  enumerated,
  explicit,
  generalizedTime,
  implicit,
  octetString,
  oid,
  sequence,
  type Der,
} from './der.ts'
import { keyIdentifier } from './extensions.ts'
import { name, signatureAlgorithm, type Name } from './sign-certificate.ts'

export type OcspDraft = {
  /** How the response names its signer. */
  responder: { name: Name } | { key: KeyObject }
  /** The CertID of the request. */
  certificate_id: Der
  status: 'good' | 'revoked' | 'unknown'
  issued_at: Date
  next_update?: Date
  /** The certificates that are sent along. */
  certificates: readonly Uint8Array[]
}

/** Signs an OCSP response about one certificate (RFC 6960 §4.2.1) and returns its DER. */
export function signOcspResponse(draft: OcspDraft, key: SigningKey): Uint8Array {
  const body = sequence(
    'name' in draft.responder
      ? explicit(1, name(draft.responder.name))
      : explicit(2, octetString(keyIdentifier(draft.responder.key))),
    generalizedTime(draft.issued_at),
    sequence(
      sequence(
        draft.certificate_id,
        writeStatus(draft),
        generalizedTime(draft.issued_at),
        ...(draft.next_update === undefined ? [] : [explicit(0, generalizedTime(draft.next_update))]),
      ),
    ),
  )
  const basic = sequence(
    body,
    signatureAlgorithm(key),
    bitString(signDer(key, body)),
    ...(draft.certificates.length === 0 ? [] : [explicit(0, sequence(...draft.certificates))]),
  )
  return sequence(enumerated(0), explicit(0, sequence(oid('1.3.6.1.5.5.7.48.1.1'), octetString(basic))))
}

/** A responder that cannot tell says so without a signature (§4.2.1): 3 is tryLater. */
export function refuseOcsp(): Uint8Array {
  return sequence(enumerated(3))
}

function writeStatus({ status, issued_at }: OcspDraft): Der {
  if (status === 'revoked') return explicit(1, generalizedTime(issued_at))
  return implicit(status === 'good' ? 0 : 2, new Uint8Array(0))
}
