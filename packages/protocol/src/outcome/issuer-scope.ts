import { hash } from 'node:crypto'
import type { PresentedCredential } from '../presentation.ts'
import { isDrivingLicence } from '../x509/profiles.ts'
import type { Certificate } from '../x509/read-certificate.ts'

type IssuedCredential = Pick<
  PresentedCredential,
  'doctype_or_vct' | 'document_types' | 'path' | 'anchor_entity'
>

/** Person identification data, also of one state, in both formats (CIR (EU) 2024/2977). */
const pidPattern = /^(?:urn:eudi:pid:|eu\.europa\.ec\.eudi\.pid\.)/

/**
 * The issuer within whose numbers a person's number is unique, as a hash: two states may give two people the same one. It comes from the
 * validated certificates, never from what the credential says, and stays the same when the signer's certificate is renewed and in
 * both formats. Undefined if the certificates do not say whose numbers they are.
 */
export function findIssuerScope(credential: IssuedCredential): string | undefined {
  const parts = listScopeParts(credential)
  return parts && hash('sha256', JSON.stringify(parts), 'base64url')
}

function listScopeParts({
  doctype_or_vct,
  document_types = [doctype_or_vct],
  path = [],
  anchor_entity,
}: IssuedCredential): (string | null)[] | undefined {
  const [signer, anchor] = [path[0]?.subject, path.at(-1)?.subject]
  if (signer === undefined || anchor === undefined) return undefined
  // An authority may certify the signers of several states, or name another state: one country counts only if both name it.
  const country = readCountry(signer)
  const isPid = document_types.every((type) => pidPattern.test(type))
  if (isPid && country !== undefined && country === readCountry(anchor)) return ['state', country]

  const place = [readCountry(anchor) ?? null, anchor.state ?? null]
  if (anchor_entity !== undefined) return ['entity', anchor_entity, ...place]

  // An authority of nobody in particular may certify several issuers. Of a driving licence it has only one (ISO/IEC 18013-5 annex B).
  const issuer = signer.organization_identifier ?? signer.organization ?? null
  const isOwnAuthority = path.length === 1 || document_types.every(isDrivingLicence)
  if (issuer === null && !isOwnAuthority) return undefined
  return ['authority', anchor.der, country ?? null, issuer]
}

function readCountry({ country }: Certificate['subject']): string | undefined {
  return country?.toUpperCase()
}
