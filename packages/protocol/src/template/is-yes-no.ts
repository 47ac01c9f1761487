import { isSamePlace, listPlaces } from './check-derivation-sources.ts'
import type { Template } from './template.ts'

/** Whether every claim of a result is among those that stay readable, so that sealing hides none of them. */
export function isAllClear({
  claims,
  derive = {},
  clear_claims = [],
}: Pick<Template, 'claims' | 'derive' | 'clear_claims'>): boolean {
  if (claims === undefined) return false
  const sources = new Set(Object.values(derive).map(({ from }) => from))
  const results = [...Object.keys(claims).filter((name) => !sources.has(name)), ...Object.keys(derive)]
  return results.every((name) => clear_claims.includes(name))
}

/**
 * Whether a verification tells no more than yes or no. Every claim that the query requests, because the credentials of a result show
 * those too, either must be true or must be false, or is dropped, because another one is derived from it (TPL-6).
 */
export function isYesNo({
  query,
  claims = {},
  must = {},
  derive = {},
}: Pick<Template, 'query' | 'claims' | 'must' | 'derive'>): boolean {
  const sources = new Set(Object.values(derive).map(({ from }) => from))
  const responses = Object.entries(claims).flatMap(([name, places]) => {
    const requirement = must[name]
    const isResponse =
      requirement !== undefined && 'equals' in requirement && typeof requirement.equals === 'boolean'
    return isResponse || sources.has(name) ? places : []
  })
  // A credential of which no claim is named may show whatever its wallet discloses.
  if (!query.credentials.every((each) => Array.isArray(each.claims))) return false
  // A comparison that need not succeed tells which of several values is right.
  if (Object.entries(derive).some(([name, rule]) => 'matches' in rule && !Object.hasOwn(must, name)))
    return false
  return listPlaces(query).every((place) => responses.some((response) => isSamePlace(response, place)))
}
