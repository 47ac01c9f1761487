import type { Finding, PresentedCredential } from '../presentation.ts'
import type { ClaimsPath, ClaimsQuery, CredentialQuery } from './query.ts'
import { selectClaims } from './select.ts'

type ClaimsMatch = { findings: Finding[]; paths: ClaimsPath[] }

/** The first claim set that was disclosed whole, in the order of preference; all `claims` where there are no sets (§6.4.1). */
export function matchClaims(query: CredentialQuery, credential: PresentedCredential): ClaimsMatch {
  const options = optionsOf(query)
  const answered = options.find((option) =>
    option.every((claim) => findFault(claim, credential) === undefined),
  )
  if (answered !== undefined) return { findings: [], paths: answered.map(({ path }) => path) }

  const findings = (options[0] ?? []).flatMap((claim) => describeFault(claim, credential, options.length))
  return { findings, paths: [] }
}

function optionsOf({ claims = [], claim_sets }: CredentialQuery): ClaimsQuery[][] {
  if (claim_sets === undefined) return [claims]
  const byId = new Map(claims.map((claim) => [claim.id, claim]))
  return claim_sets.map((set) => set.flatMap((id) => byId.get(id) ?? []))
}

function findFault(
  { path, values }: ClaimsQuery,
  credential: PresentedCredential,
): keyof typeof faults | undefined {
  const selected = selectClaims(credential.claims, path, credential.issued_indexes)
  if (selected.length === 0) return 'requested_claims'
  // Type and value must both be equal (§6.3); a wallet need not have looked.
  if (values === undefined || selected.some((claim) => values.some((value) => value === claim)))
    return undefined
  return 'claim_values'
}

const faults = {
  requested_claims: 'was not disclosed',
  claim_values: 'has none of the values asked for',
} as const

function describeFault(claim: ClaimsQuery, credential: PresentedCredential, options: number): Finding[] {
  const check = findFault(claim, credential)
  if (check === undefined) return []
  const which = options > 1 ? 'no claim set was answered whole; of the first, ' : ''
  return [{ check, status: 'fail', detail: `${which}${JSON.stringify(claim.path)} ${faults[check]}` }]
}
