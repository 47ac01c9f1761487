import type { AnyQuery, Violation } from '../dcql/query.ts'
import { isEqual, isNonEmptyArrayOf, isObject } from '../json.ts'
import { describePlace, isClaimName } from './claim-name.ts'

const maxNames = 200

/** Checks the vocabulary: every name is valid, and the query requests every place, so that no name is always empty. */
export function checkVocabulary(vocabulary: unknown, query: AnyQuery): Violation[] {
  if (vocabulary === undefined) return []
  if (!isObject(vocabulary)) return [{ place: 'claims', rule: 'must be an object' }]
  const entries = Object.entries(vocabulary)
  if (entries.length > maxNames)
    return [{ place: 'claims', rule: `at most ${maxNames} names, got ${entries.length}` }]
  return entries.flatMap(([name, places], index) => {
    const place = describePlace('claims', name, index)
    return [...(isClaimName(name) ? [] : [{ place, rule: nameRule }]), ...checkPlaces(places, place, query)]
  })
}

const nameRule = 'must be 1-64 lower case letters, digits and underscores, starting with a letter'

function checkPlaces(places: unknown, at: string, query: AnyQuery): Violation[] {
  if (!isNonEmptyArrayOf(places, isObject))
    return [{ place: at, rule: 'must be a non-empty array of places' }]
  return places.flatMap(({ credential, path, as }, index) => {
    const place = `${at}[${index}]`
    if (as !== undefined && as !== 'image' && as !== 'date')
      return [{ place: `${place}.as`, rule: 'must be image or date' }]
    if (listPaths(query, credential).some((requested) => isEqual(requested, path))) return []
    return [{ place, rule: 'must name a credential of the query and a path requested of it' }]
  })
}

function listPaths({ credentials }: AnyQuery, id: unknown): unknown[] {
  const claims = credentials.find((credential) => credential.id === id)?.claims
  return Array.isArray(claims) ? claims.flatMap((claim) => (isObject(claim) ? [claim.path] : [])) : []
}
