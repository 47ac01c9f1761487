import type { Alterations } from '../alterations.ts'
import type { DocumentName, Format } from '../documents/credential.ts'

/** The checks that faults aim at, each with the error that a verification then ends with. */
export const failureCodes = {
  credential_encoding: 'credential_malformed',
  credential_text: 'credential_malformed',
  disclosures: 'credential_malformed',
  issuer_algorithm: 'signature_invalid',
  issuer_signature: 'signature_invalid',
  element_digests: 'signature_invalid',
  signing_time: 'signature_invalid',
  issuer_certificate: 'issuer_untrusted',
  issuer_trust: 'issuer_untrusted',
  issuer_document_type: 'issuer_untrusted',
  issuer_certificate_validity: 'issuer_untrusted',
  issuer_certificate_profile: 'issuer_untrusted',
  issuer_certificate_purpose: 'issuer_untrusted',
  issuer_country: 'issuer_untrusted',
  holder_key: 'holder_binding_invalid',
  key_binding: 'holder_binding_invalid',
  key_binding_signature: 'holder_binding_invalid',
  key_binding_nonce: 'holder_binding_invalid',
  key_binding_audience: 'holder_binding_invalid',
  key_binding_time: 'holder_binding_invalid',
  key_binding_hash: 'holder_binding_invalid',
  device_signature: 'holder_binding_invalid',
  device_mac: 'holder_binding_invalid',
  device_signed_elements: 'holder_binding_invalid',
  credential_validity: 'credential_expired',
  revocation: 'credential_revoked',
  status_list: 'status_unavailable',
  vp_token: 'credential_malformed',
  query_id: 'query_not_satisfied',
  presentation_count: 'query_not_satisfied',
  credential_sets: 'query_not_satisfied',
  credential_format: 'query_not_satisfied',
  credential_type: 'query_not_satisfied',
  requested_claims: 'query_not_satisfied',
  claim_values: 'query_not_satisfied',
  trusted_authority: 'query_not_satisfied',
  template_requirement: 'requirement_not_met',
} as const

export type CheckName = keyof typeof failureCodes

/**
 * What a verifier must make of a fault: refuse it by a check, end with the wallet's own error, or say that this is no
 * answer of this session and let the session wait on.
 */
export type Expectation =
  | { readonly outcome: 'failed'; readonly check: CheckName }
  | { readonly outcome: 'failed'; readonly code: 'holder_declined' | 'wallet_error' }
  | { readonly outcome: 'not_an_answer' }

export type Fault = {
  readonly name: string
  readonly description: string
  /** In which formats it can be made, and what becomes of it. */
  readonly expect: Readonly<Partial<Record<Format, Expectation>>>
  /** What the request has to have for the fault to show: it asks for values, or for authorities. */
  readonly needs?: 'values' | 'trusted_authorities' | 'template_requirement'
  /** The only document that it can be made with. */
  readonly document?: DocumentName
  readonly alterations: Alterations
}

/** In SD-JWT VC only. */
export function inSdJwt(check: CheckName): Fault['expect'] {
  return { 'dc+sd-jwt': { outcome: 'failed', check } }
}

/** In mdoc only. */
export function inMdoc(check: CheckName): Fault['expect'] {
  return { mso_mdoc: { outcome: 'failed', check } }
}

/** In both formats, found by one check or by two. */
export function inBoth(sdJwt: CheckName, mdoc: CheckName = sdJwt): Fault['expect'] {
  return { ...inSdJwt(sdJwt), ...inMdoc(mdoc) }
}

/** In both formats, and no answer of this session. */
export const rejectedResponse: Fault['expect'] = {
  'dc+sd-jwt': { outcome: 'not_an_answer' },
  mso_mdoc: { outcome: 'not_an_answer' },
}

/** In both formats, with an error of the wallet's own. */
export function walletError(code: 'holder_declined' | 'wallet_error'): Fault['expect'] {
  return { 'dc+sd-jwt': { outcome: 'failed', code }, mso_mdoc: { outcome: 'failed', code } }
}
