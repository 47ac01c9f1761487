import { isObject } from '../json.ts'
import type { AnyQuery, Violation } from './query.ts'

/** Bounds of one query (GEN-11). Each counts over the whole query, so that no two of them multiply. */
export const queryBounds = {
  maxCredentials: 20,
  maxClaims: 200,
  maxClaimSets: 100,
  /** Ids over all claim sets. */
  maxClaimSetIds: 1000,
  /** Over all claims. */
  maxValues: 1000,
  maxCredentialSets: 20,
  /** Ids over all options of all credential sets. */
  maxCredentialSetIds: 400,
  /** Over `vct_values` and `trusted_authorities`. */
  maxTypesAndAuthorities: 200,
} as const

/** The bounds that a query exceeds (GEN-11). Anything that is not what DCQL expects counts as nothing: `checkQuery` reports it. */
export function checkBounds({ credentials, credential_sets }: AnyQuery): Violation[] {
  const claims = credentials.flatMap(({ claims: asked }) => listOf(asked))
  const claimSets = credentials.flatMap(({ claim_sets }) => listOf(claim_sets))
  const credentialSets = listOf(credential_sets)
  const options = credentialSets.flatMap((set) => memberList(set, 'options'))
  const types = credentials.flatMap(({ meta }) => memberList(meta, 'vct_values'))
  const authorities = credentials.flatMap(({ trusted_authorities }) => listOf(trusted_authorities))

  const checkCredentials = boundAt('query.credentials')
  const checkSets = boundAt('query.credential_sets')
  return [
    ...checkCredentials(credentials.length, queryBounds.maxCredentials, 'credentials'),
    ...checkCredentials(claims.length, queryBounds.maxClaims, 'claims over all credentials'),
    ...checkCredentials(claimSets.length, queryBounds.maxClaimSets, 'claim sets over all credentials'),
    ...checkCredentials(countMembers(claimSets), queryBounds.maxClaimSetIds, 'claim ids over all claim sets'),
    ...checkCredentials(countListed(claims, 'values'), queryBounds.maxValues, 'values over all claims'),
    ...checkCredentials(
      types.length + authorities.length + countListed(authorities, 'values'),
      queryBounds.maxTypesAndAuthorities,
      'types and authorities over all credentials',
    ),
    ...checkSets(credentialSets.length, queryBounds.maxCredentialSets, 'credential sets'),
    ...checkSets(
      options.length + countMembers(options),
      queryBounds.maxCredentialSetIds,
      'options and credential ids over all credential sets',
    ),
  ]
}

function boundAt(place: string) {
  return (count: number, limit: number, what: string): Violation[] =>
    count <= limit ? [] : [{ place, rule: `at most ${limit} ${what}, got ${count}` }]
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function memberList(value: unknown, name: string): unknown[] {
  return isObject(value) ? listOf(value[name]) : []
}

function countMembers(lists: unknown[]): number {
  return lists.reduce((sum: number, list) => sum + listOf(list).length, 0)
}

function countListed(objects: unknown[], name: string): number {
  return objects.reduce((sum: number, object) => sum + memberList(object, name).length, 0)
}
