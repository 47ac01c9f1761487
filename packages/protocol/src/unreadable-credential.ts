import type { CredentialFormat } from './dcql/query.ts'
import { failure } from './findings.ts'
import type { PresentedCredential } from './presentation.ts'

/** The result for a presentation that cannot be parsed as a credential of its format. */
export function buildUnreadableCredential(format: CredentialFormat, error: string): PresentedCredential {
  return {
    format,
    doctype_or_vct: '',
    claims: {},
    issuer: {},
    trusted: false,
    signature_valid: false,
    holder_binding_valid: false,
    authority_key_ids: [],
    findings: [failure('credential_encoding', error)],
    unreadable: true,
  }
}
