import { isCredentialSet } from '../check/check-credential-set.ts'
import type { AnyQuery } from '../query.ts'

/**
 * Returns what the query requires and the response lacks: the options of each required set without a complete option, or,
 * without sets, every credential that was not presented (OpenID4VP 1.0 §6.4.2). Empty if the query is satisfied.
 */
export function findMissingCredentials(query: AnyQuery, presented: ReadonlySet<string>): string[] {
  const sets = query.credential_sets ?? []
  if (sets.length === 0) {
    return query.credentials.map(({ id }) => String(id)).filter((id) => !presented.has(id))
  }
  return sets.flatMap((set) => {
    if (!isCredentialSet(set)) return ['an invalid credential set']
    if (set.required === false || set.options.some((option) => option.every((id) => presented.has(id))))
      return []
    return [set.options.map((option) => option.join(' with ')).join(' or ')]
  })
}
