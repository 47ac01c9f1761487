import { isObject, type Json, type JsonObject } from '../../json.ts'
import type { ClaimsPath } from '../query.ts'
import { issuedIndex, type IssuedIndexes } from './select-claims.ts'

export type FilteredClaims = {
  claims: JsonObject
  /** The paths of what was dropped; an object dropped whole is listed once. */
  dropped: ClaimsPath[]
}

/** Copies only the claims that the paths select (RESULT-5). */
export function filterClaims(
  claims: JsonObject,
  paths: ClaimsPath[],
  issuedIndexes: IssuedIndexes = new Map(),
): FilteredClaims {
  const dropped: ClaimsPath[] = []
  const kept = filterMembers(claims, paths, { issuedIndexes, place: [], dropped })
  return { claims: kept, dropped }
}

type WalkState = { issuedIndexes: IssuedIndexes; place: ClaimsPath; dropped: ClaimsPath[] }

function filterValue(value: Json, paths: ClaimsPath[], walk: WalkState): Json | undefined {
  if (paths.some((path) => path.length === 0)) return value
  const hasPaths = paths.length > 0
  if (hasPaths && Array.isArray(value)) return filterElements(value, paths, walk)
  if (hasPaths && isObject(value)) return filterMembers(value, paths, walk)
  walk.dropped.push(walk.place)
  return undefined
}

function filterMembers(object: JsonObject, paths: ClaimsPath[], walk: WalkState): JsonObject {
  const kept: JsonObject = Object.create(null)
  const pathsByHead = groupByHead(paths)
  for (const [name, member] of Object.entries(object)) {
    const value = filterValue(member, pathsByHead.get(name) ?? [], { ...walk, place: [...walk.place, name] })
    if (value !== undefined) kept[name] = value
  }
  return kept
}

function filterElements(array: Json[], paths: ClaimsPath[], walk: WalkState): Json[] {
  const pathsByHead = groupByHead(paths)
  const pathsOfAll = pathsByHead.get(null) ?? []
  return array.flatMap((element, index) => {
    const position = issuedIndex(array, index, walk.issuedIndexes)
    const pathsOfOne = pathsByHead.get(position)
    const remainingPaths = pathsOfOne === undefined ? pathsOfAll : [...pathsOfAll, ...pathsOfOne]
    const value = filterValue(element, remainingPaths, { ...walk, place: [...walk.place, position] })
    return value === undefined ? [] : [value]
  })
}

/** Groups the remainders of the paths by their first component, once for each object and array. */
function groupByHead(paths: ClaimsPath[]): Map<ClaimsPath[number], ClaimsPath[]> {
  const groups = new Map<ClaimsPath[number], ClaimsPath[]>()
  for (const [head, ...rest] of paths) {
    if (head === undefined) continue
    const group = groups.get(head)
    if (group === undefined) groups.set(head, [rest])
    else group.push(rest)
  }
  return groups
}
