import { isNonEmptyArrayOf, isObject } from '../../json.ts'
import type { CredentialSetQuery, Violation } from '../query.ts'

/** True if presented ids can be matched against it. */
export function isCredentialSet(set: unknown): set is CredentialSetQuery {
  return (
    isObject(set) &&
    isNonEmptyArrayOf(set.options, isOption) &&
    (set.required === undefined || typeof set.required === 'boolean')
  )
}

/** The rules of one credential set (OpenID4VP 1.0 §6.2). `ids` are the credential ids of the query. */
export function checkCredentialSet(
  set: unknown,
  { place, ids }: { place: string; ids: ReadonlySet<unknown> },
): Violation[] {
  if (!isObject(set)) return [{ place, rule: 'must be an object' }]
  const requiredViolations: Violation[] =
    set.required === undefined || typeof set.required === 'boolean'
      ? []
      : [{ place: `${place}.required`, rule: 'must be true or false' }]
  if (!isNonEmptyArrayOf(set.options, isOption)) {
    return [
      { place: `${place}.options`, rule: 'must be a non-empty array of non-empty arrays of credential ids' },
      ...requiredViolations,
    ]
  }
  const unknownOption = set.options.findIndex((option) => !option.every((id) => ids.has(id)))
  if (unknownOption === -1) return requiredViolations
  return [
    { place: `${place}.options[${unknownOption}]`, rule: 'contains an id that no credential has' },
    ...requiredViolations,
  ]
}

function isOption(option: unknown): option is string[] {
  return isNonEmptyArrayOf(option, (id): id is string => typeof id === 'string')
}
