import { filterClaims } from '../dcql/match/filter-claims.ts'
import { isEqual, isObject, type Json, type JsonObject } from '../json.ts'
import { addFindings, type ExaminedCredential } from './examine-credential.ts'
import { findIssuerScope } from './issuer-scope.ts'

export type MergedClaims = {
  claims: JsonObject
  /** The issuer of each claim, if it is known. */
  claim_issuers: Record<string, string>
  examined: ExaminedCredential[]
}

/** Merges all claims under their own names. The first credential of the query wins; a later one that differs gets a warning. */
export function mergeClaims(examined: ExaminedCredential[]): MergedClaims {
  const claims: JsonObject = Object.create(null)
  const claim_issuers: Record<string, string> = Object.create(null)
  const annotated = examined.map((entry) => {
    const conflicts: string[] = []
    const issuer = findIssuerScope(entry.credential)
    for (const [name, value] of flattenClaims(entry)) {
      const first = claims[name]
      if (first === undefined) {
        claims[name] = value
        if (issuer !== undefined) claim_issuers[name] = issuer
      } else if (!isEqual(first, value)) conflicts.push(name)
    }
    return warnAboutConflicts(entry, conflicts)
  })
  return { claims, claim_issuers, examined: annotated }
}

/** Merged claims omit the namespaces of an mdoc; the credential's own claims keep them. */
function flattenClaims({ credential, paths }: ExaminedCredential): [string, Json][] {
  const { claims } = filterClaims(credential.claims, paths, credential.issued_indexes)
  if (credential.format !== 'mso_mdoc') return Object.entries(claims)
  return Object.values(claims).flatMap((namespace) => (isObject(namespace) ? Object.entries(namespace) : []))
}

const maxNamedClaims = 10

export function warnAboutConflicts(examined: ExaminedCredential, names: string[]): ExaminedCredential {
  if (names.length === 0) return examined
  const named = names.slice(0, maxNamedClaims).map((name) => JSON.stringify(name))
  const detail = `an earlier credential has different values for ${named.join(', ')}`
  return addFindings(examined, [{ check: 'conflicting_claims', status: 'warning', detail }])
}
