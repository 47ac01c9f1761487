import { filterClaims } from '../dcql/match/filter-claims.ts'
import { matchCredential } from '../dcql/match/match-credential.ts'
import type { ClaimsPath, CredentialQuery } from '../dcql/query.ts'
import { hasFailure } from '../findings.ts'
import type { Finding, PresentedCredential } from '../presentation.ts'
import { metadataClaims } from '../sd-jwt/registered-claims.ts'
import { inspectClaims, type ValueQuota } from './inspect-claims.ts'

/** A presented credential with all its findings, and the requested paths that it discloses. */
export type ExaminedCredential = { query_id: string; credential: PresentedCredential; paths: ClaimsPath[] }

/** Adds failures for missing proofs and unsafe claims, then matches the credential against its query. */
export function examineCredential(
  query: CredentialQuery,
  presented: PresentedCredential,
  quota: ValueQuota,
): ExaminedCredential {
  const failures = [...findMissingProofs(presented), ...inspectClaims(presented.claims, quota)]
  const examined = addFindings({ query_id: query.id, credential: presented, paths: [] }, failures)
  if (hasFailure(examined.credential.findings)) return examined

  const { findings, paths } = matchCredential(query, presented)
  const warnings = findings.length === 0 ? warnAboutUnrequestedClaims(presented, paths) : []
  return addFindings({ ...examined, paths }, [...findings, ...warnings])
}

export function addFindings(examined: ExaminedCredential, findings: Finding[]): ExaminedCredential {
  if (findings.length === 0) return examined
  const { credential } = examined
  return { ...examined, credential: { ...credential, findings: [...credential.findings, ...findings] } }
}

/** A missing proof is a failure (WRES-6), even if no finding explains it. */
function findMissingProofs(credential: PresentedCredential): Finding[] {
  if (hasFailure(credential.findings)) return []
  const { signature_valid, trusted, holder_binding_valid } = credential
  return [
    ...(signature_valid ? [] : [{ check: 'issuer_signature', status: 'fail' } as const]),
    ...(trusted ? [] : [{ check: 'issuer_trust', status: 'fail' } as const]),
    ...(holder_binding_valid ? [] : [{ check: 'key_binding', status: 'fail' } as const]),
  ]
}

const maxNamedClaims = 10

/** RESULT-5. Lists names, never values, up to a limit. */
function warnAboutUnrequestedClaims(
  { format, claims, issued_indexes }: PresentedCredential,
  paths: ClaimsPath[],
): Finding[] {
  const isMetadata = ([name]: ClaimsPath) => format === 'dc+sd-jwt' && metadataClaims.includes(String(name))
  const dropped = filterClaims(claims, paths, issued_indexes).dropped.filter((place) => !isMetadata(place))
  if (dropped.length === 0) return []
  const named = dropped.slice(0, maxNamedClaims).map((place) => JSON.stringify(place))
  const more = dropped.length > maxNamedClaims ? ` and ${dropped.length - maxNamedClaims} more` : ''
  return [{ check: 'claims_not_requested', status: 'warning', detail: `dropped: ${named.join(', ')}${more}` }]
}
