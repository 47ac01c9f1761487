import { keepClaims } from '../dcql/keep.ts'
import type { CredentialResult, Finding } from '../presentation.ts'
import type { Examined } from './examine.ts'

const MAX_FINDINGS = 50
const MAX_DETAIL = 400
const MAX_NAME = 256

/** The credential as a merchant sees it: its members and no others, checks that passed left out (RESULT-1, RESULT-2). */
export function publishCredential({ credential, paths }: Examined): CredentialResult {
  const { format, doctype_or_vct, issuer, trusted, signature_valid, holder_binding_valid } = credential
  return {
    format,
    doctype_or_vct: cleanText(doctype_or_vct, MAX_NAME),
    claims: keepClaims(credential.claims, paths, credential.issued_indexes).claims,
    issuer: {
      ...(issuer.common_name !== undefined && { common_name: cleanText(issuer.common_name, MAX_NAME) }),
      ...(issuer.country !== undefined && { country: cleanText(issuer.country, MAX_NAME) }),
    },
    trusted,
    signature_valid,
    holder_binding_valid,
    findings: credential.findings
      .filter(({ status }) => status !== 'pass')
      .slice(0, MAX_FINDINGS)
      .map(publishFinding),
  }
}

function publishFinding({ check, status, detail }: Finding): Finding {
  return { check, status, ...(detail !== undefined && { detail: cleanText(detail, MAX_DETAIL) }) }
}

/** Text from outside that has to be stored and shown: no control characters, no halves of characters, not without end. */
export function cleanText(text: string, limit: number): string {
  return text
    .slice(0, limit)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
}
