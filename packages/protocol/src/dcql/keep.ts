import { isObject, type Json, type JsonObject } from '../json.ts'
import type { ClaimsPath } from './query.ts'
import { issuedIndex, pointsTo, type IssuedIndexes } from './select.ts'

export type Kept = {
  claims: JsonObject
  /** The places of what was left out, each the topmost of its kind. */
  dropped: ClaimsPath[]
}

/** A copy of the claims with only what the paths point to (RESULT-5). */
export function keepClaims(claims: JsonObject, paths: ClaimsPath[], issued: IssuedIndexes = new Map()): Kept {
  const dropped: ClaimsPath[] = []
  const kept = keepMembers(claims, paths, { issued, place: [], dropped })
  return { claims: kept, dropped }
}

type Walk = { issued: IssuedIndexes; place: ClaimsPath; dropped: ClaimsPath[] }

function keepValue(value: Json, paths: ClaimsPath[], walk: Walk): Json | undefined {
  if (paths.some((path) => path.length === 0)) return value
  const leadsOn = paths.length > 0
  if (leadsOn && Array.isArray(value)) return keepElements(value, paths, walk)
  if (leadsOn && isObject(value)) return keepMembers(value, paths, walk)
  walk.dropped.push(walk.place)
  return undefined
}

function keepMembers(object: JsonObject, paths: ClaimsPath[], walk: Walk): JsonObject {
  const kept: JsonObject = Object.create(null)
  for (const [name, member] of Object.entries(object)) {
    const onwards = paths.filter(([head]) => head === name).map(([, ...rest]) => rest)
    const value = keepValue(member, onwards, { ...walk, place: [...walk.place, name] })
    if (value !== undefined) kept[name] = value
  }
  return kept
}

function keepElements(array: Json[], paths: ClaimsPath[], walk: Walk): Json[] {
  return array.flatMap((element, index) => {
    const position = issuedIndex(array, index, walk.issued)
    const onwards = paths.filter(([head]) => pointsTo(head, position)).map(([, ...rest]) => rest)
    const value = keepValue(element, onwards, { ...walk, place: [...walk.place, position] })
    return value === undefined ? [] : [value]
  })
}
