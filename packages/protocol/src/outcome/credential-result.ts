import { filterClaims } from '../dcql/match/filter-claims.ts'
import type { CredentialResult, Finding } from '../presentation.ts'
import type { ExaminedCredential } from './examine-credential.ts'

const maxFindings = 50
const maxDetailCharacters = 400
const maxNameCharacters = 256

/** The credential as returned to the merchant: the published members only, without passed checks (RESULT-1). */
export function toCredentialResult({ credential, paths }: ExaminedCredential): CredentialResult {
  const { format, doctype_or_vct, issuer, trusted, signature_valid, holder_binding_valid } = credential
  return {
    format,
    doctype_or_vct: sanitiseText(doctype_or_vct, maxNameCharacters),
    claims: filterClaims(credential.claims, paths, credential.issued_indexes).claims,
    issuer: {
      ...(issuer.common_name !== undefined && {
        common_name: sanitiseText(issuer.common_name, maxNameCharacters),
      }),
      ...(issuer.country !== undefined && { country: sanitiseText(issuer.country, maxNameCharacters) }),
    },
    trusted,
    signature_valid,
    holder_binding_valid,
    findings: credential.findings
      .filter(({ status }) => status !== 'pass')
      .slice(0, maxFindings)
      .map(toPublicFinding),
  }
}

function toPublicFinding({ check, status, detail }: Finding): Finding {
  return { check, status, ...(detail !== undefined && { detail: sanitiseText(detail, maxDetailCharacters) }) }
}

/** Makes external text safe to store and display: removes control characters and unpaired surrogates, and limits the length. */
export function sanitiseText(text: string, limit: number): string {
  return text
    .slice(0, limit)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
}
