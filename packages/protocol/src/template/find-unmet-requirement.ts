import type { Json } from '../json.ts'
import type { Requirement } from './template.ts'

/** Describes an unmet requirement without the actual value; undefined if it is met. */
export function findUnmetRequirement(
  name: string,
  value: Json | undefined,
  requirement: Requirement,
): string | undefined {
  if ('equals' in requirement) {
    return value === requirement.equals ? undefined : `${name} must be ${JSON.stringify(requirement.equals)}`
  }
  return isEmpty(value) ? `${name} must not be empty` : undefined
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
