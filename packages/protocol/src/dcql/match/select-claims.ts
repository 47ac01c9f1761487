import { isObject, type Json, type JsonObject } from '../../json.ts'
import type { ClaimsPath } from '../query.ts'

/** For arrays with undisclosed elements: the issued index of each remaining element. */
export type IssuedIndexes = ReadonlyMap<Json[], readonly number[]>

const noIssuedIndexes: IssuedIndexes = new Map()

/**
 * Returns the claims that a path selects (OpenID4VP 1.0 §7.1.1, and §7.2.1 for an mdoc, whose claims are grouped by
 * namespace). Empty if the path selects nothing, or passes through a value that is not the expected object or array.
 */
export function selectClaims(
  claims: JsonObject,
  path: ClaimsPath,
  issuedIndexes: IssuedIndexes = noIssuedIndexes,
): Json[] {
  let selected: Json[] = [claims]
  for (const component of path) {
    const expected = typeof component === 'string' ? isObject : Array.isArray
    if (!selected.every(expected)) return []
    selected = selected.flatMap((value) => selectNext(value, component, issuedIndexes))
  }
  return selected
}

function selectNext(value: Json, component: ClaimsPath[number], issuedIndexes: IssuedIndexes): Json[] {
  if (Array.isArray(value))
    return value.filter((_, index) => matchesIndex(component, issuedIndex(value, index, issuedIndexes)))
  if (!isObject(value) || typeof component !== 'string' || !Object.hasOwn(value, component)) return []
  const member = value[component]
  return member === undefined ? [] : [member]
}

function matchesIndex(component: ClaimsPath[number], index: number): boolean {
  return component === null || component === index
}

export function issuedIndex(array: Json[], index: number, issuedIndexes: IssuedIndexes): number {
  return issuedIndexes.get(array)?.[index] ?? index
}
