import type { AnyQuery } from '../dcql/query.ts'

/**
 * Adds the purpose where wallets display it (WREQ-6). DCQL 1.0 has no such member and lets wallets ignore unknown ones;
 * current wallets read `purpose` of a credential set. A query without sets gets one set of all its credentials, which is
 * equivalent.
 */
export function addPurpose(query: AnyQuery, purpose: string | undefined): AnyQuery {
  if (purpose === undefined) return query
  const sets = query.credential_sets ?? []
  const setsWithAll = sets.length > 0 ? sets : [{ options: [query.credentials.map(({ id }) => id)] }]
  return { ...query, credential_sets: setsWithAll.map((set) => ({ ...set, purpose })) }
}
