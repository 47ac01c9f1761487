import type { CredentialFormat } from './dcql/query.ts'
import { failure } from './findings.ts'
import type { PresentedCredential } from './presentation.ts'

/** What there is to say of a presentation that is no credential of its format. */
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
  }
}
