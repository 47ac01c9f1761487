import { findMissing } from '../dcql/match-sets.ts'
import type { CredentialQuery } from '../dcql/query.ts'
import type { Finding, Outcome, PresentedCredential, VerifierRequest } from '../presentation.ts'
import { applyTemplate } from '../template/apply.ts'
import { addFindings, examineCredential, type Examined } from './examine.ts'
import { fail, failuresOf, type Failure } from './fail.ts'
import { maxClaimValues } from './inspect-claims.ts'
import { publishCredential } from './publish.ts'
import { readVpToken } from './read-vp-token.ts'

/** What belongs to one format, or needs the world. Neither throws nor rejects, whatever the wallet sent. */
export type Verifiers = {
  verify: (presentation: string, query: CredentialQuery) => PresentedCredential
  checkStatus: (credential: PresentedCredential) => Promise<Finding[]>
}

/** Decides over a wallet's answer (OpenID4VP 1.0 §8.6, WRES-6): everything holds, or it failed and no attribute leaves. */
export async function decideOutcome(
  request: VerifierRequest,
  vp_token: unknown,
  { verify, checkStatus }: Verifiers,
  now: number,
): Promise<Outcome> {
  const read = readVpToken(vp_token, request.dcql_query)
  if ('fault' in read) return fail([read.fault])

  const quota = { left: maxClaimValues }
  const examined = read.answers.map(({ query, presentation }) =>
    examineCredential(query, verify(presentation, query), quota),
  )
  const failures = [...failuresOf(examined), ...findUnanswered(request, examined)]
  if (failures.length > 0) return fail(failures, examined.map(skipStatus))

  // Only now does anything go out (Token Status List §8.3): a forged credential sends nobody anywhere.
  const current = await Promise.all(
    examined.map(async (one) => addFindings(one, await checkStatus(one.credential))),
  )
  const lapses = failuresOf(current)
  if (lapses.length > 0) return fail(lapses, current)

  const { claims, examined: shown, unmet } = applyTemplate(request.template ?? {}, current, now)
  if (unmet.length > 0) return fail([{ check: 'template_requirement', detail: unmet.join('; ') }], shown)
  return { status: 'completed', claims, credentials: shown.map(publishCredential) }
}

function findUnanswered({ dcql_query }: VerifierRequest, examined: Examined[]): Failure[] {
  const missing = findMissing(dcql_query, new Set(examined.map(({ query_id }) => query_id)))
  return missing.map((what) => ({ check: 'credential_sets', detail: `required and not presented: ${what}` }))
}

function skipStatus(examined: Examined): Examined {
  if (examined.credential.status_list === undefined) return examined
  const detail = 'not looked up, because another check failed'
  return addFindings(examined, [{ check: 'status_list', status: 'skipped', detail }])
}
