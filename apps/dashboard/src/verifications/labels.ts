import type { Finding, VerificationSummary, MaskedCredential, TimelineEntry } from '@vidimus/contract'
import type { CheckName, FailureCode } from '@vidimus/protocol'
import type { Tone } from '../ui/badge.tsx'

export const statusLabels: Record<VerificationSummary['status'], [Tone, string]> = {
  pending: ['wait', 'Pending'],
  completed: ['good', 'Completed'],
  failed: ['bad', 'Failed'],
  expired: ['plain', 'Expired'],
}

export const formatLabels: Record<MaskedCredential['format'], string> = {
  'dc+sd-jwt': 'SD-JWT VC',
  mso_mdoc: 'ISO mdoc',
}

const failureLabels: Record<FailureCode, string> = {
  holder_declined: 'Holder declined or has no matching credential',
  wallet_error: 'Wallet error',
  credential_malformed: 'Credential malformed',
  signature_invalid: 'Credential altered or forged',
  issuer_untrusted: 'Issuer not trusted',
  holder_binding_invalid: 'Holder could not be confirmed',
  credential_expired: 'Credential expired or not yet valid',
  credential_revoked: 'Credential revoked',
  status_unavailable: 'Revocation status unavailable',
  query_not_satisfied: 'Credential does not match the query',
  requirement_not_met: 'Template condition not met',
}

export const failureCodes = Object.keys(failureLabels)

/** Why a verification failed. A page that is older than the service shows a new code as it is. */
export function failureLabel(code: string): string {
  return labelOf(failureLabels, code) ?? code
}

const timelineLabels: Record<TimelineEntry['kind'], string> = {
  created: 'Created',
  request_fetched: 'Request fetched',
  dc_error: 'Browser reported an error, unverified; the verification stays open',
  responded: 'Wallet responded',
  webhook_attempted: 'Webhook attempt',
  redeemed: 'Response code redeemed',
  expired: 'Expired without a response',
}

/** One line of the timeline: `Webhook attempt 2: no response within 10 seconds`. */
export function timelineText({ kind, count, actor, detail }: TimelineEntry): string {
  const by = actor === undefined ? '' : ` by ${actor}`
  return `${timelineLabels[kind]}${countText(kind, count)}${by}${detail === undefined ? '' : `: ${detailText(detail)}`}`
}

/** Of an attempt its number, of anything else how often it happened. */
function countText(kind: TimelineEntry['kind'], count: number | undefined): string {
  if (count === undefined) return ''
  if (kind === 'webhook_attempted') return ` ${count}`
  return count > 1 ? ` ${count} times` : ''
}

/** A failure code as it reads after a colon; any other text as it is. */
function detailText(detail: string): string {
  return labelOf(failureLabels, detail)?.replace(/^./, (letter) => letter.toLowerCase()) ?? detail
}

type CheckLabel = { name: string; failure: string }

const checkLabels: Record<CheckName, CheckLabel> = {
  vp_token: { name: 'Response structure', failure: 'not as requested' },
  credential_encoding: { name: 'Credential encoding', failure: 'unreadable' },
  credential_text: { name: 'Claim text', failure: 'not valid Unicode' },
  disclosures: { name: 'Disclosed claims', failure: 'not as signed by the issuer' },
  issuer_algorithm: { name: 'Issuer algorithm', failure: 'not accepted' },
  issuer_signature: { name: 'Issuer signature', failure: 'invalid' },
  element_digests: { name: 'Element digests', failure: 'do not match' },
  signing_time: { name: 'Signing time', failure: 'outside the certificate’s validity' },
  issuer_certificate: { name: 'Issuer certificates', failure: 'missing or unreadable' },
  issuer_trust: { name: 'Issuer chain', failure: 'not trusted' },
  issuer_document_type: { name: 'Issuer authority', failure: 'not for this document type' },
  issuer_certificate_validity: { name: 'Issuer certificates', failure: 'expired or not yet valid' },
  issuer_certificate_profile: { name: 'Issuer certificate profile', failure: 'not acceptable' },
  issuer_certificate_purpose: { name: 'Signer certificate purpose', failure: 'not for signing documents' },
  issuer_country: { name: 'Issuer country', failure: 'does not match' },
  holder_key: { name: 'Holder key', failure: 'missing or unusable' },
  key_binding: { name: 'Key binding', failure: 'missing or malformed' },
  key_binding_signature: { name: 'Key binding signature', failure: 'invalid' },
  key_binding_nonce: { name: 'Key binding nonce', failure: 'from another session' },
  key_binding_audience: { name: 'Key binding audience', failure: 'another verifier' },
  key_binding_time: { name: 'Key binding time', failure: 'outside the session' },
  key_binding_hash: { name: 'Key binding hash', failure: 'does not match' },
  device_signature: { name: 'Device signature', failure: 'invalid for this session' },
  device_mac: { name: 'Device authentication', failure: 'MAC instead of a signature' },
  device_signed_elements: { name: 'Device-signed elements', failure: 'not authorised by the issuer' },
  credential_validity: { name: 'Credential validity', failure: 'expired or not yet valid' },
  revocation: { name: 'Revocation', failure: 'revoked or suspended' },
  status_list: { name: 'Revocation check', failure: 'status list unavailable' },
  query_id: { name: 'Query ID', failure: 'not in the query' },
  credential_query: { name: 'Credential query', failure: 'invalid' },
  presentation_count: { name: 'Number of presentations', failure: 'not as requested' },
  credential_sets: { name: 'Required credentials', failure: 'missing' },
  credential_format: { name: 'Credential format', failure: 'not as requested' },
  credential_type: { name: 'Credential type', failure: 'not as requested' },
  requested_claims: { name: 'Requested claims', failure: 'missing' },
  claim_values: { name: 'Claim values', failure: 'not as requested' },
  trusted_authority: { name: 'Issuer authority', failure: 'not named in the query' },
  template_requirement: { name: 'Template condition', failure: 'not met' },
  claims_not_requested: { name: 'Claims not requested', failure: 'disclosed' },
  conflicting_claims: { name: 'Claims of several credentials', failure: 'conflicting' },
}

const findingLabels: Record<Exclude<Finding['status'], 'fail'>, string> = {
  pass: 'passed',
  warning: 'warning',
  skipped: 'skipped',
}

/** A finding as `name: result`. A page that is older than the service shows a new check's code. */
export function findingText(check: string, status: Finding['status']): { name: string; result: string } {
  const { name, failure } = labelOf(checkLabels, check) ?? { name: check, failure: 'failed' }
  return { name, result: status === 'fail' ? failure : findingLabels[status] }
}

function labelOf<Label>(labels: Record<string, Label>, code: string): Label | undefined {
  return Object.hasOwn(labels, code) ? labels[code] : undefined
}
