import type { VerificationSummary, TimelineEntry } from '@vidimus/contract'
import type { Tone } from '../ui/badge.tsx'

const failureLabels: Record<string, string> = {
  holder_declined: 'The holder declined, or has no such credential',
  wallet_error: 'The wallet could not answer',
  credential_malformed: 'The credential cannot be read',
  signature_invalid: 'The credential was altered or forged',
  issuer_untrusted: 'Nobody you trust vouches for the issuer',
  holder_binding_invalid: 'It was not shown by its holder in this session',
  credential_expired: 'The credential has lapsed, or is not valid yet',
  credential_revoked: 'The issuer has revoked the credential',
  status_unavailable: 'Whether it was revoked could not be found out',
  query_not_satisfied: 'It is genuine, but not what was asked for',
  requirement_not_met: 'The holder does not meet what the template requires',
}

/** Why a verification failed, for people. A code that is newer than this page is shown as it is. */
export function failureLabel(code: string): string {
  return failureLabels[code] ?? code
}

export const failureCodes: readonly string[] = Object.keys(failureLabels)

export const statusLabels: Record<VerificationSummary['status'], [Tone, string]> = {
  pending: ['wait', 'Pending'],
  completed: ['good', 'Completed'],
  failed: ['bad', 'Failed'],
  expired: ['plain', 'Expired'],
}

const timelineLabels: Record<TimelineEntry['kind'], string> = {
  created: 'Created',
  request_fetched: 'The wallet fetched the request',
  responded: 'The wallet answered',
  webhook_attempted: 'Webhook sent',
  redeemed: 'The response code was redeemed',
  expired: 'Expired unanswered',
}

/** What happened, in one line: `The wallet fetched the request, twice`. */
export function timelineText({ kind, count, actor, detail }: TimelineEntry): string {
  const times = count !== undefined && count > 1 ? `, ${count} times` : ''
  const by = actor === undefined ? '' : ` by ${actor}`
  return `${timelineLabels[kind]}${times}${by}${detail === undefined ? '' : `: ${detailText(detail)}`}`
}

/** A failure's code as its sentence goes on after a colon; anything else as it is. */
function detailText(detail: string): string {
  const label = failureLabels[detail]
  return label === undefined ? detail : label.replace(/^./, (letter) => letter.toLowerCase())
}

const checkLabels: Record<string, string> = {
  vp_token: 'The answer has the form that was asked for',
  credential_encoding: 'The credential can be read',
  credential_text: 'The text of every claim is proper',
  disclosures: 'Every disclosed claim is one that the issuer signed',
  issuer_algorithm: 'Signed with an accepted algorithm',
  issuer_signature: 'The issuer’s signature is genuine',
  element_digests: 'Every element is one that the issuer signed',
  signing_time: 'Signed while the signer’s certificate was valid',
  issuer_certificate: 'The issuer’s certificates are enclosed',
  issuer_trust: 'The issuer leads to an authority you trust',
  issuer_document_type: 'The authority vouches for this type of document',
  issuer_certificate_validity: 'The issuer’s certificates are valid today',
  issuer_certificate_profile: 'The issuer’s certificates may be used so',
  issuer_certificate_purpose: 'The signer may sign such documents',
  issuer_country: 'The issuer’s country is the document’s',
  holder_key: 'The credential is bound to a key of its holder',
  key_binding: 'The holder proved possession of the key',
  key_binding_signature: 'The holder’s signature is genuine',
  key_binding_nonce: 'The proof was made for this session',
  key_binding_audience: 'The proof was made for you',
  key_binding_time: 'The proof is fresh',
  key_binding_hash: 'The proof covers what was disclosed',
  device_signature: 'The device signed this presentation',
  device_mac: 'The device authenticated this presentation',
  device_signed_elements: 'The device may sign those elements',
  credential_validity: 'The credential is valid today',
  revocation: 'The credential is not revoked',
  status_list: 'Whether it was revoked could be looked up',
  query_id: 'It answers a credential of the query',
  credential_query: 'It answers the query',
  presentation_count: 'As many as were asked for',
  credential_sets: 'The required credentials are there',
  credential_format: 'In the format that was asked for',
  credential_type: 'Of the type that was asked for',
  requested_claims: 'The requested claims are there',
  claim_values: 'The claims have the values that were asked for',
  trusted_authority: 'From an authority that the query names',
  template_requirement: 'What the template requires holds',
}

export function checkLabel(check: string): string {
  return checkLabels[check] ?? check
}
