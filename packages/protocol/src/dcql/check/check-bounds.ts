import { isObject } from '../../json.ts'
import type { AnyQuery, Violation } from '../query.ts'

/** Bounds of one query (GEN-11). Each applies to the whole query, so bounds never multiply. */
export const queryBounds = {
  maxCredentials: 20,
  maxClaims: 200,
  maxClaimSets: 100,
  /** Ids in all claim sets. */
  maxClaimSetIds: 1000,
  /** In all claims. */
  maxValues: 1000,
  maxCredentialSets: 20,
  /** Options and ids in all credential sets. */
  maxCredentialSetIds: 400,
  /** In all `vct_values` and `trusted_authorities`. */
  maxTypesAndAuthorities: 200,
} as const

/** Returns the bounds that a query exceeds (GEN-11). Members of the wrong type count as empty: `checkQuery` reports them. */
export function checkBounds({ credentials, credential_sets }: AnyQuery): Violation[] {
  const claims = credentials.flatMap(({ claims: requested }) => asArray(requested))
  const claimSets = credentials.flatMap(({ claim_sets }) => asArray(claim_sets))
  const credentialSets = asArray(credential_sets)
  const options = credentialSets.flatMap((set) => memberArray(set, 'options'))
  const types = credentials.flatMap(({ meta }) => memberArray(meta, 'vct_values'))
  const authorities = credentials.flatMap(({ trusted_authorities }) => asArray(trusted_authorities))

  const checkCredentials = checkBoundAt('query.credentials')
  const checkSets = checkBoundAt('query.credential_sets')
  return [
    ...checkCredentials(credentials.length, queryBounds.maxCredentials, 'credentials'),
    ...checkCredentials(claims.length, queryBounds.maxClaims, 'claims over all credentials'),
    ...checkCredentials(claimSets.length, queryBounds.maxClaimSets, 'claim sets over all credentials'),
    ...checkCredentials(
      countElements(claimSets),
      queryBounds.maxClaimSetIds,
      'claim ids over all claim sets',
    ),
    ...checkCredentials(
      countMemberElements(claims, 'values'),
      queryBounds.maxValues,
      'values over all claims',
    ),
    ...checkCredentials(
      types.length + authorities.length + countMemberElements(authorities, 'values'),
      queryBounds.maxTypesAndAuthorities,
      'types and authorities over all credentials',
    ),
    ...checkSets(credentialSets.length, queryBounds.maxCredentialSets, 'credential sets'),
    ...checkSets(
      options.length + countElements(options),
      queryBounds.maxCredentialSetIds,
      'options and credential ids over all credential sets',
    ),
  ]
}

function checkBoundAt(place: string) {
  return (count: number, limit: number, what: string): Violation[] =>
    count <= limit ? [] : [{ place, rule: `at most ${limit} ${what}, got ${count}` }]
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function memberArray(value: unknown, name: string): unknown[] {
  return isObject(value) ? asArray(value[name]) : []
}

function countElements(lists: unknown[]): number {
  return lists.reduce((sum: number, list) => sum + asArray(list).length, 0)
}

function countMemberElements(objects: unknown[], name: string): number {
  return objects.reduce((sum: number, object) => sum + memberArray(object, name).length, 0)
}
