import { failure, warning } from '../findings.ts'
import type { Finding } from '../presentation.ts'
import { knownPurposes, tlsClientOid, type SignerProfile } from './profiles.ts'
import type { Certificate } from './read-certificate.ts'

/** RFC 5280 §6.1.3 (a)(2), for the anchor as well: an expired authority certifies nobody. */
export function checkValidity(path: Certificate[], now: number): Finding[] {
  return path
    .filter(({ valid_from, valid_until }) => !(valid_from <= now && now <= valid_until))
    .map(({ subject, valid_from }) => {
      const why = now < valid_from ? 'is not valid yet' : 'has expired'
      return failure(
        'issuer_certificate_validity',
        `the certificate of "${subject.common_name ?? ''}" ${why}`,
      )
    })
}

/** RFC 5280 §6.1.4 (k)-(o): every certificate above the signer may certify, within its path length. */
export function checkAuthorities(path: Certificate[]): Finding[] {
  const findings: Finding[] = []
  let authoritiesBelow = 0
  for (const { extensions, subject, issuer } of path.slice(1)) {
    const name = `"${subject.common_name ?? ''}"`
    if (!extensions.authority) findings.push(profileFailure(`${name} is not a certification authority`))
    if (extensions.usage?.certificate_sign === false) {
      findings.push(profileFailure(`the key of ${name} may not sign certificates`))
    }
    if (extensions.path_length !== undefined && authoritiesBelow > extensions.path_length) {
      findings.push(profileFailure(`${name} exceeds its path length constraint`))
    }
    // Self-issued certificates do not count (RFC 5280 §4.2.1.9).
    if (subject.der !== issuer.der) authoritiesBelow += 1
  }
  const unknown = path.flatMap(({ extensions }) => extensions.unknown_critical)
  if (unknown.length > 0) {
    findings.push(profileFailure(`a certificate has an unknown critical extension: ${unknown.join(', ')}`))
  }
  return findings
}

type SignerCheck = { signer: Certificate; anchor: Certificate; profile: SignerProfile; pinned: boolean }

export function checkSigner({ signer, anchor, profile, pinned }: SignerCheck): Finding[] {
  const findings: Finding[] = []
  const { authority, usage } = signer.extensions
  if (authority) findings.push(profileFailure('the signer is a certification authority'))
  const maySign = usage?.digital_signature ?? true
  if (!maySign && !(profile.non_repudiation === true && usage?.non_repudiation === true))
    findings.push(profileFailure("the signer's key may not sign"))
  findings.push(...checkPurpose(signer, profile, pinned))
  if (profile.same_country && (signer.subject.country ?? '') !== anchor.subject.country) {
    findings.push(
      failure('issuer_country', "the signer's certificate and its authority's name different countries"),
    )
  }
  return findings
}

/** Pinning a signer's certificate implies its purpose, so a mismatch is only a warning. */
function checkPurpose({ extensions }: Certificate, profile: SignerProfile, pinned: boolean): Finding[] {
  const { purposes } = extensions
  const { signs, required } = profile
  const namesPurpose = purposes?.oids.some((oid) => profile.purposes.includes(oid)) ?? false
  const mismatch = (detail: string, isAllowed = pinned) => [
    (isAllowed ? warning : failure)('issuer_certificate_purpose', detail),
  ]
  switch (required) {
    case 'critical':
      if (namesPurpose && purposes?.critical === true) return []
      return mismatch(`the certificate does not restrict its key to signing ${signs}`)
    case 'named':
      return namesPurpose ? [] : mismatch(`the certificate does not name the purpose of signing ${signs}`)
    case 'no':
      if (purposes === undefined || namesPurpose) return []
      return mismatch(
        `the certificate names a purpose other than signing ${signs}`,
        pinned || !isForOtherUse(purposes),
      )
  }
}

/** Whether a certificate that does not name the purpose excludes it. A critical extension restricts the key to what it names (RFC 5280 §4.2.1.12). */
function isForOtherUse({ critical, oids }: NonNullable<Certificate['extensions']['purposes']>): boolean {
  return critical || oids.some((oid) => knownPurposes.has(oid)) || oids.every((oid) => oid === tlsClientOid)
}

function profileFailure(detail: string): Finding {
  return failure('issuer_certificate_profile', detail)
}
