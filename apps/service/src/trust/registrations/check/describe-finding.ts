import {
  registrationFindings,
  type RegistrationFinding,
  type RegistrationFindingCode,
} from '@vidimus/contract'

const texts: Record<RegistrationFindingCode, string> = {
  format_invalid: 'It is not a registration certificate',
  signature_valid: 'The signature is valid',
  signature_invalid: 'The signature is not valid',
  issuer_trusted: 'A trusted registration authority issued it',
  issuer_unknown: 'No registration authority is trusted, so its issuer was not checked',
  issuer_untrusted: 'No trusted registration authority issued it',
  lifetime_valid: 'It is valid now',
  lifetime_ends_soon: 'It ends within 30 days',
  lifetime_too_long: 'It is valid for more than 12 months, which wallets may not accept',
  lifetime_without_end: 'It does not say when it ends',
  lifetime_not_begun: 'It is not valid yet',
  lifetime_ended: 'It has expired',
  binding_matches: 'It belongs to the access certificate that signs the requests',
  binding_unknown: 'The access certificate has no identifier to compare with',
  binding_differs: 'It does not belong to the access certificate that signs the requests',
  status_valid: 'Its status list says that it is valid',
  status_missing: 'It refers to no status list, which wallets require',
  status_unavailable: 'Its status list could not be fetched',
  status_invalid: 'Its status list cannot be relied on',
  status_revoked: 'It was revoked',
  dataset_matches: 'The data set belongs to it',
  dataset_differs: 'The data set belongs to another registration',
}

export function toFinding(code: RegistrationFindingCode, detail?: string): RegistrationFinding {
  return { code, status: registrationFindings[code], ...(detail !== undefined && { detail }) }
}

/** A finding in words, without a full stop. */
export function describeFinding({ code, detail }: RegistrationFinding): string {
  return detail === undefined ? texts[code] : `${texts[code]}: ${detail}`
}

export function findFailure(findings: readonly RegistrationFinding[]): RegistrationFinding | undefined {
  return findings.find(({ status }) => status === 'fail')
}
