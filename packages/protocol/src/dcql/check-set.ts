import { isListOf, isObject } from '../json.ts'
import type { CredentialSetQuery, Violation } from './query.ts'

/** True when the presented ids can be held against it. */
export function isCredentialSet(set: unknown): set is CredentialSetQuery {
  return (
    isObject(set) &&
    isListOf(set.options, isOption) &&
    (set.required === undefined || typeof set.required === 'boolean')
  )
}

/** The rules of one credential set (OpenID4VP 1.0 §6.2), given the ids that the query has. */
export function checkSet(
  set: unknown,
  { place, ids }: { place: string; ids: ReadonlySet<unknown> },
): Violation[] {
  if (!isObject(set)) return [{ place, rule: 'must be an object' }]
  const required: Violation[] =
    set.required === undefined || typeof set.required === 'boolean'
      ? []
      : [{ place: `${place}.required`, rule: 'must be true or false' }]
  if (!isListOf(set.options, isOption)) {
    return [
      { place: `${place}.options`, rule: 'must be a non-empty array of non-empty arrays of credential ids' },
      ...required,
    ]
  }
  const unknown = set.options.findIndex((option) => !option.every((id) => ids.has(id)))
  if (unknown === -1) return required
  return [{ place: `${place}.options[${unknown}]`, rule: 'names an id that no credential has' }, ...required]
}

function isOption(option: unknown): option is string[] {
  return isListOf(option, (id): id is string => typeof id === 'string')
}
