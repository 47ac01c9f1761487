import type { Alterations } from '../alterations.ts'
import type { DocumentName, Format } from '../documents/credential.ts'
import type { Channel } from '../wallet/authorization-request.ts'

/** The checks that faults target, each with the error code of the failed verification. */
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
  issuer_certificate_revocation: 'issuer_untrusted',
  issuer_certificate_crl: 'status_unavailable',
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

/** What these checks catch is malformed: the response cannot be read, so that nothing about the holder is decided. */
const checksOfForm: ReadonlySet<CheckName> = new Set(['vp_token', 'credential_encoding'])

/**
 * What a verifier must do with a fault: fail the verification by a check, fail it with the wallet's own error, reject the
 * response and leave the verification pending, or accept the post and leave the verification pending as well, because nothing proves who
 * sent the error. A malformed response is rejected and leaves the verification pending a few times, and then fails it by the check.
 */
export type Expectation =
  | { readonly outcome: 'failed' | 'malformed'; readonly check: CheckName }
  | { readonly outcome: 'failed'; readonly code: WalletErrorCode }
  | { readonly outcome: 'noted'; readonly code: WalletErrorCode }
  | { readonly outcome: 'rejected' }

type WalletErrorCode = 'holder_declined' | 'wallet_error'

export type Fault = {
  readonly name: string
  readonly description: string
  /** The formats in which the fault exists, each with the expected result. */
  readonly expect: Readonly<Partial<Record<Format, Expectation>>>
  /** The channels on which the fault exists. Default: all that have the steps it alters. */
  readonly channels?: readonly Channel[]
  /** The result on a channel where it differs, in every format. */
  readonly expect_on?: Readonly<Partial<Record<Channel, Expectation>>>
  /** What the request must contain for the fault to have an effect. */
  readonly needs?: 'values' | 'trusted_authorities' | 'template_requirement'
  /** The only document that the fault applies to. */
  readonly document?: DocumentName
  readonly alterations: Alterations
}

/** SD-JWT VC only. */
export function inSdJwt(check: CheckName): Fault['expect'] {
  return { 'dc+sd-jwt': caughtBy(check) }
}

/** mdoc only. */
export function inMdoc(check: CheckName): Fault['expect'] {
  return { mso_mdoc: caughtBy(check) }
}

function caughtBy(check: CheckName): Expectation {
  return { outcome: checksOfForm.has(check) ? 'malformed' : 'failed', check }
}

/** Both formats, caught by the same check or by two different ones. */
export function inBoth(sdJwt: CheckName, mdoc: CheckName = sdJwt): Fault['expect'] {
  return { ...inSdJwt(sdJwt), ...inMdoc(mdoc) }
}

/** Both formats: the post is rejected and the verification stays pending. */
export const rejectedResponse: Fault['expect'] = {
  'dc+sd-jwt': { outcome: 'rejected' },
  mso_mdoc: { outcome: 'rejected' },
}

/** Both formats: the verification fails with the error that the wallet sent. */
export function walletError(code: WalletErrorCode): Fault['expect'] {
  return { 'dc+sd-jwt': { outcome: 'failed', code }, mso_mdoc: { outcome: 'failed', code } }
}
