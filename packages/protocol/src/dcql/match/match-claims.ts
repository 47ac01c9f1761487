import type { Finding, PresentedCredential } from '../../presentation.ts'
import type { ClaimsPath, ClaimsQuery, CredentialQuery } from '../query.ts'
import { findNearestAge } from './nearest-age.ts'
import { selectClaims } from './select-claims.ts'

type ClaimsMatch = { findings: Finding[]; paths: ClaimsPath[] }

/**
 * Finds the first claim set, in order of preference, that was disclosed completely; without sets, all `claims` are required
 * (§6.4.1). Each claim is evaluated once, so the time is linear in the sizes of claims, values and sets, not their product.
 */
export function matchClaims(query: CredentialQuery, credential: PresentedCredential): ClaimsMatch {
  const { claims = [], claim_sets } = query
  const failedCheckByClaim = new Map(claims.map((claim) => [claim, findFailedCheck(claim, credential)]))
  const isSatisfied = (claim: ClaimsQuery) => failedCheckByClaim.get(claim) === undefined

  const options = listOptions(claims, claim_sets)
  const satisfied = options.find((option) => option.every(isSatisfied))
  if (satisfied !== undefined)
    return { findings: [], paths: satisfied.map(({ path }) => findDisclosedPath(path, credential)) }

  const prefix = options.length > 1 ? 'no claim set was disclosed completely; of the first set, ' : ''
  const findings = (options[0] ?? []).flatMap((claim): Finding[] => {
    const check = failedCheckByClaim.get(claim)
    if (check === undefined) return []
    return [
      { check, status: 'fail', detail: `${prefix}${JSON.stringify(claim.path)} ${failureTexts[check]}` },
    ]
  })
  return { findings, paths: [] }
}

function listOptions(claims: ClaimsQuery[], claim_sets: CredentialQuery['claim_sets']): ClaimsQuery[][] {
  if (claim_sets === undefined) return [claims]
  const byId = new Map(claims.map((claim) => [claim.id, claim]))
  return claim_sets.map((set) => set.flatMap((id) => byId.get(id) ?? []))
}

function findFailedCheck(
  { path, values }: ClaimsQuery,
  credential: PresentedCredential,
): keyof typeof failureTexts | undefined {
  const disclosedPath = findDisclosedPath(path, credential)
  const selected = selectClaims(credential.claims, disclosedPath, credential.issued_indexes)
  if (selected.length === 0) return 'requested_claims'
  if (values === undefined) return undefined
  // Type and value must both be equal (§6.3). The wallet may not have checked.
  const accepted = new Set<unknown>(values)
  return selected.some((claim) => accepted.has(claim)) ? undefined : 'claim_values'
}

/** Where a requested claim is in the credential: at its path or, if only another age decides it, at that one's. */
export function findDisclosedPath(path: ClaimsPath, credential: PresentedCredential): ClaimsPath {
  if (selectClaims(credential.claims, path, credential.issued_indexes).length > 0) return path
  return findNearestAge(credential, path)?.path ?? path
}

const failureTexts = {
  requested_claims: 'was not disclosed',
  claim_values: 'has none of the requested values',
} as const
