import { isObject, type Json, type JsonObject } from '../json.ts'
import type { ClaimsPath } from './query.ts'
import { issuedIndex, type IssuedIndexes } from './select.ts'

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
  const onwards = groupByHead(paths)
  for (const [name, member] of Object.entries(object)) {
    const value = keepValue(member, onwards.get(name) ?? [], { ...walk, place: [...walk.place, name] })
    if (value !== undefined) kept[name] = value
  }
  return kept
}

function keepElements(array: Json[], paths: ClaimsPath[], walk: Walk): Json[] {
  const onwards = groupByHead(paths)
  const ofAll = onwards.get(null) ?? []
  return array.flatMap((element, index) => {
    const position = issuedIndex(array, index, walk.issued)
    const ofOne = onwards.get(position)
    const leading = ofOne === undefined ? ofAll : [...ofAll, ...ofOne]
    const value = keepValue(element, leading, { ...walk, place: [...walk.place, position] })
    return value === undefined ? [] : [value]
  })
}

/** What is left of each path after its first component, by that component. Done once for each object and array. */
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
