import { findMissingCredentials } from '../dcql/match/match-credential-sets.ts'
import type { CredentialQuery } from '../dcql/query.ts'
import { hasFailure } from '../findings.ts'
import type { Finding, Outcome, PresentedCredential, VerifierRequest } from '../presentation.ts'
import { applyTemplate } from './apply-template.ts'
import { toCredentialResult } from './credential-result.ts'
import { addFindings, examineCredential, type ExaminedCredential } from './examine-credential.ts'
import { buildFailedOutcome, listFailedChecks, type FailedCheck } from './failed-outcome.ts'
import { maxClaimValues } from './inspect-claims.ts'
import { readVpToken } from './read-vp-token.ts'

/** How many checks of discarded presentations a finding names. */
const maxNamed = 10

/** What depends on the format or needs I/O. Neither function throws or rejects on wallet input. */
export type CredentialVerifiers = {
  verify: (presentation: string, query: CredentialQuery) => PresentedCredential | Promise<PresentedCredential>
  checkStatus: (credential: PresentedCredential) => Promise<Finding[]>
}

/** Decides the outcome of a wallet response (OpenID4VP 1.0 §8.6, WRES-6): what satisfies the query passes every check, or it fails and no claim is returned. */
export async function decideOutcome(
  request: VerifierRequest,
  vp_token: unknown,
  { verify, checkStatus }: CredentialVerifiers,
  now: number,
): Promise<Outcome> {
  const read = readVpToken(vp_token, request.dcql_query)
  if ('rejected' in read) return buildFailedOutcome([read.rejected])

  const quota = { remaining: maxClaimValues }
  const verified = await Promise.all(
    read.presentations.map(async ({ query, presentation }) => ({
      query,
      credential: await verify(presentation, query),
    })),
  )
  const examined = verified.map(({ query, credential }) => examineCredential(query, credential, quota))
  const valid = discardNeedless(request, examined)
  if ('failures' in valid) return buildFailedOutcome(valid.failures, examined.map(markStatusSkipped))

  // The first outbound request (Token Status List §8.3): a forged credential must not cause one.
  const withStatus = await Promise.all(
    valid.kept.map(async (entry) => addFindings(entry, await checkStatus(entry.credential))),
  )
  const current = discardNeedless(request, withStatus)
  if ('failures' in current) return buildFailedOutcome(current.failures, withStatus)

  const { template = {}, today = new Date(now * 1000).toISOString().slice(0, 10) } = request
  const applied = applyTemplate(template, current.kept, { today, expected: request.expected })
  if (applied.unmet_requirements.length > 0) {
    const detail = applied.unmet_requirements.join('; ')
    return buildFailedOutcome([{ check: 'template_requirement', detail }], applied.examined)
  }
  return {
    status: 'completed',
    claims: applied.claims,
    claim_issuers: applied.claim_issuers,
    credentials: applied.examined.map(toCredentialResult),
  }
}

/**
 * A presentation that fails is discarded if the others satisfy the query (OpenID4VP 1.0 §8.6): a wallet may present a document for each
 * alternative. What was discarded is a warning at the first of the others, without anything that it said.
 */
function discardNeedless(
  request: VerifierRequest,
  examined: ExaminedCredential[],
): { kept: ExaminedCredential[] } | { failures: FailedCheck[] } {
  const [first, ...others] = examined.filter(({ credential }) => !hasFailure(credential.findings))
  const failed = listFailedChecks(examined)
  if (first === undefined || listMissingCredentials(request, [first, ...others]).length > 0)
    return { failures: [...failed, ...listMissingCredentials(request, examined)] }
  return { kept: [addFindings(first, warnAboutDiscarded(failed)), ...others] }
}

function warnAboutDiscarded(failed: FailedCheck[]): Finding[] {
  const named = new Set(
    failed.map(({ query_id = '', check }) => `${JSON.stringify(query_id)} failed ${check}`),
  )
  if (named.size === 0) return []
  return [
    { check: 'discarded_presentations', status: 'warning', detail: [...named].slice(0, maxNamed).join(', ') },
  ]
}

/** A wallet that presents nothing has to return an error, even if every set is optional (OpenID4VP 1.0 errata of §8.1). */
function listMissingCredentials(
  { dcql_query }: VerifierRequest,
  examined: ExaminedCredential[],
): FailedCheck[] {
  const missing = findMissingCredentials(dcql_query, new Set(examined.map(({ query_id }) => query_id)))
  if (missing.length === 0 && examined.length === 0)
    return [{ check: 'credential_sets', detail: 'no credential was presented' }]
  return missing.map((ids) => ({ check: 'credential_sets', detail: `required and not presented: ${ids}` }))
}

function markStatusSkipped(examined: ExaminedCredential): ExaminedCredential {
  if (examined.credential.status_list === undefined) return examined
  const detail = 'not checked because another check failed'
  return addFindings(examined, [{ check: 'status_list', status: 'skipped', detail }])
}
