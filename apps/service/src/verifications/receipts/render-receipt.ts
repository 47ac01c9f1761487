import { createHash } from 'node:crypto'
import { canonicalize } from '@vidimus/evidence'
import type { CredentialResult, Outcome } from '@vidimus/protocol'
import { programVersion } from '../../engine/basics/index.ts'
import type { Channel } from '../wallet/derive-secrets.ts'
import type { OpenVerification } from '../wallet/find-open-verification.ts'
import { clientId } from '../wallet/uris.ts'

/** More than what could be guessed of a receipt, so that its hash says nothing about it. */
export const receiptSalt_bytes = 32
/** What keeps a receipt small, however much was presented. */
const maxCredentials = 4
const maxFindings = 8

type Decided = { outcome: Outcome; trust_version: string; channel: Channel['kind'] }

/**
 * The text of a receipt, without its times: what was asked and how it ended, without claims and metadata. `record_responses` appends the
 * times and commits to the text in the audit entry of the outcome.
 */
export function renderReceipt(
  { id, tenant_id, environment, template, certificate, purpose, ...asked }: OpenVerification,
  { outcome, trust_version, channel }: Decided,
): string {
  const { status, error, claims, credentials } = outcome
  const sealed = claims['_sealed']
  const registration = certificate.subarray(32)
  return JSON.stringify({
    v: 1,
    id,
    tenant_id,
    environment,
    ...(asked.own_query || asked.template_version === null
      ? { query_hash: sha256(canonicalize(asked.query)) }
      : { template: { key: template, version: asked.template_version.toString('hex') } }),
    ...(purpose !== null && { purpose_hash: sha256(purpose) }),
    client_id: clientId(certificate),
    ...(registration.length > 0 && { registration: registration.toString('hex') }),
    channel,
    status,
    ...(error !== undefined && { error_code: error.code }),
    credentials: credentials.slice(0, maxCredentials).map(describeCredential),
    // The hash of what is not sealed could be tried out: it may be a yes or a birth date.
    result: sealed === undefined ? { sealed: false } : { sealed: true, hash: sha256(canonicalize(sealed)) },
    trust_version,
    service_version: programVersion(),
  })
}

/** The type of a credential that is not trusted is whatever the wallet wrote there. */
function describeCredential(credential: CredentialResult) {
  const { format, doctype_or_vct, trusted, signature_valid, holder_binding_valid, findings } = credential
  return {
    format,
    ...(trusted && { type: doctype_or_vct.slice(0, 128) }),
    trusted,
    signature_valid,
    holder_binding_valid,
    findings: findings.slice(0, maxFindings).map(({ check, status }) => ({ check, status })),
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
