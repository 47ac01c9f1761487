import { signDer, type SigningKey } from '../keys/signing-key.ts'
import { bitString, explicit, integer, sequence, time, type Der } from './der.ts'
import type { Extension } from './extensions.ts'
import { extension, name, signatureAlgorithm, type Name } from './sign-certificate.ts'

export type CrlDraft = {
  issuer: Name
  issued_at: Date
  next_update: Date
  /** The serial numbers of revoked certificates, with the extensions of each entry. */
  revoked: readonly { serial: Uint8Array; extensions?: readonly Extension[] }[]
  extensions: readonly Extension[]
}

/** Signs a version 2 certificate revocation list (RFC 5280 §5.1) and returns its DER. */
export function signCrl(draft: CrlDraft, key: SigningKey): Uint8Array {
  const algorithm = signatureAlgorithm(key)
  const body = sequence(
    integer(1),
    algorithm,
    name(draft.issuer),
    time(draft.issued_at),
    time(draft.next_update),
    // An empty list is left out (§5.1.2.6).
    ...(draft.revoked.length === 0
      ? []
      : [sequence(...draft.revoked.map((entry) => writeEntry(entry, draft)))]),
    explicit(0, sequence(...draft.extensions.map(extension))),
  )
  return sequence(body, algorithm, bitString(signDer(key, body)))
}

function writeEntry(
  { serial, extensions = [] }: CrlDraft['revoked'][number],
  { issued_at }: Pick<CrlDraft, 'issued_at'>,
): Der {
  return sequence(
    integer(serial),
    time(issued_at),
    ...(extensions.length === 0 ? [] : [sequence(...extensions.map(extension))]),
  )
}
