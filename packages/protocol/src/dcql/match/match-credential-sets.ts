import { isCredentialSet } from '../check/check-credential-set.ts'
import type { AnyQuery } from '../query.ts'

/**
 * What is missing although the query requires it: for each required set without a whole option its options, or every
 * credential that was not presented where the query has no sets (OpenID4VP 1.0 §6.4.2). None when it is satisfied.
 */
export function findMissingCredentials(query: AnyQuery, presented: ReadonlySet<string>): string[] {
  const sets = query.credential_sets ?? []
  if (sets.length === 0) {
    return query.credentials.map(({ id }) => String(id)).filter((id) => !presented.has(id))
  }
  return sets.flatMap((set) => {
    if (!isCredentialSet(set)) return ['a credential set that cannot be read']
    if (set.required === false || set.options.some((option) => option.every((id) => presented.has(id))))
      return []
    return [set.options.map((option) => option.join(' with ')).join(' or ')]
  })
}
