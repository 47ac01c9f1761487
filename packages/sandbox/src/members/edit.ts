import type { Cbor } from '../cbor/encode.ts'
import type { Json, JsonObject } from '../keys/sign-jws.ts'

/** The name of a JSON member, or the label of a CBOR map entry. */
export type Label = string | number

/** Adds or removes one member. */
export type Edit = { readonly add: Label; readonly value: unknown } | { readonly drop: Label }

export function editJson(object: Json | undefined, edit: Edit): JsonObject {
  const members = Object.entries(isObject(object) ? object : {})
  if ('drop' in edit) return Object.fromEntries(members.filter(([name]) => name !== edit.drop))
  // The rules contain JSON values for JSON structures.
  return Object.fromEntries([...members, [String(edit.add), edit.value as Json]])
}

export function editMap(map: Cbor | undefined, edit: Edit): Map<Cbor, Cbor> {
  const members = new Map<Cbor, Cbor>(map instanceof Map ? (map as Map<Cbor, Cbor>) : [])
  if ('drop' in edit) members.delete(edit.drop)
  // The rules contain CBOR values for CBOR structures.
  else members.set(edit.add, edit.value as Cbor)
  return members
}

/** Edits a member of a nested map, at any depth. */
export function editInMap(map: Cbor | undefined, path: readonly Label[], edit: Edit): Map<Cbor, Cbor> {
  const [label, ...rest] = path
  if (label === undefined) return editMap(map, edit)
  const members = new Map<Cbor, Cbor>(map instanceof Map ? (map as Map<Cbor, Cbor>) : [])
  return members.set(label, editInMap(members.get(label), rest, edit))
}

export function editInJson(object: Json | undefined, path: readonly string[], edit: Edit): JsonObject {
  const [name, ...rest] = path
  if (name === undefined) return editJson(object, edit)
  const members = isObject(object) ? object : {}
  return { ...members, [name]: editInJson(members[name], rest, edit) }
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
