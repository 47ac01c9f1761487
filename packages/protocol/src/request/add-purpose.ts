import type { AnyQuery } from '../dcql/query.ts'

/**
 * Puts the purpose where wallets show it (WREQ-6). DCQL 1.0 has no such member and has wallets ignore what they do not know,
 * and those in the field read `purpose` of a credential set. A query without sets gets one that asks for all it has: the same.
 */
export function addPurpose(query: AnyQuery, purpose: string | undefined): AnyQuery {
  if (purpose === undefined) return query
  const sets = query.credential_sets ?? []
  const setsWithAll = sets.length > 0 ? sets : [{ options: [query.credentials.map(({ id }) => id)] }]
  return { ...query, credential_sets: setsWithAll.map((set) => ({ ...set, purpose })) }
}
