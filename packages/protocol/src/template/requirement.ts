import { isNonEmptyArrayOf, isObject, isStorableText, type Json } from '../json.ts'
import type { Requirement } from './template.ts'

type Scalar = string | number | boolean
type Range = { min?: number | string; max?: number | string }

/** The maximum number of values that a requirement may accept. */
export const maxAcceptedValues = 250
const maxAcceptedText_characters = 200
/** How many of them a finding names. */
const maxNamed = 5

const requirementRule =
  'must be {"equals": value}, {"in": [values]}, {"min": bound, "max": bound} of numbers or dates, or {"not_empty": true}'

/** Why something is not a requirement; undefined if it is one. */
export function findRequirementViolation(rule: unknown): string | undefined {
  if (!isObject(rule)) return requirementRule
  const members = Object.keys(rule)
  if (members.length > 0 && members.every((member) => member === 'min' || member === 'max'))
    return findRangeViolation(rule)
  if (members.length !== 1) return requirementRule
  if ('in' in rule) {
    if (!isNonEmptyArrayOf(rule['in'], isScalar)) return 'in must be a non-empty array of values'
    if (rule['in'].length > maxAcceptedValues)
      return `in has at most ${maxAcceptedValues} values, got ${rule['in'].length}`
    return rule['in'].every(isAcceptable)
      ? undefined
      : `a value of in must be text of at most ${maxAcceptedText_characters} characters, a number or a boolean`
  }
  return rule['not_empty'] === true || isScalar(rule['equals']) ? undefined : requirementRule
}

function findRangeViolation({ min, max }: Record<string, unknown>): string | undefined {
  const bounds = [min, max].filter((bound) => bound !== undefined)
  if (!bounds.every((bound) => typeof bound === 'number') && !bounds.every((bound) => isDate(bound)))
    return 'min and max must be two numbers, or two dates such as 2026-01-31'
  const [first, second] = bounds as (number | string)[] // checked just now
  return first !== undefined && second !== undefined && first > second
    ? 'min must not be more than max'
    : undefined
}

/** Describes an unmet requirement without the actual value; undefined if it is met. Any value may come from a wallet. */
export function findUnmetRequirement(
  name: string,
  value: Json | undefined,
  requirement: Requirement,
): string | undefined {
  if ('equals' in requirement) {
    return value === requirement.equals ? undefined : `${name} must be ${JSON.stringify(requirement.equals)}`
  }
  if ('in' in requirement) {
    // A person may have several, such as nationalities: one suffices.
    const values = Array.isArray(value) ? value : [value]
    const isAccepted = values.some((each) => requirement.in.some((accepted) => accepted === each))
    return isAccepted ? undefined : `${name} must be ${nameValues(requirement.in)}${nameAbsence(value)}`
  }
  if ('not_empty' in requirement) return isEmpty(value) ? `${name} must not be empty` : undefined
  return findUnmetRange(name, value, requirement)
}

function findUnmetRange(name: string, value: Json | undefined, range: Range): string | undefined {
  const ofDates = typeof (range.min ?? range.max) === 'string'
  const comparable = ofDates ? readDate(value) : typeof value === 'number' ? value : undefined
  const { min = comparable, max = comparable } = range
  if (comparable !== undefined && min !== undefined && max !== undefined) {
    if (min <= comparable && comparable <= max) return undefined
    return `${name} must be ${nameRange(range)}`
  }
  const reason = nameAbsence(value) || (ofDates ? ', but is not a full date' : ', but is not a number')
  return `${name} must be ${nameRange(range)}${reason}`
}

function nameAbsence(value: Json | undefined): string {
  return value === undefined ? ', but was not disclosed' : ''
}

function nameRange({ min, max }: Range): string {
  if (min === undefined) return `at most ${max}`
  return max === undefined ? `at least ${min}` : `from ${min} to ${max}`
}

function nameValues(values: readonly Scalar[]): string {
  const named = values.slice(0, maxNamed).map((each) => JSON.stringify(each))
  const more = values.length > maxNamed ? ` or ${values.length - maxNamed} others` : ''
  return values.length === 1 ? named.join() : `one of ${named.join(', ')}${more}`
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function isScalar(value: unknown): value is Scalar {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function isAcceptable(value: Scalar): boolean {
  return typeof value !== 'string' || (isStorableText(value) && value.length <= maxAcceptedText_characters)
}

function isDate(value: unknown): value is string {
  return typeof value === 'string' && value === readDate(value)
}

/** The day of a date with or without a time. Undefined for anything else, such as a year alone or 30 February. */
export function readDate(value: unknown): string | undefined {
  const day = typeof value === 'string' ? /^(\d{4}-\d{2}-\d{2})(?:T.*)?$/.exec(value)?.[1] : undefined
  if (day === undefined) return undefined
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? day : undefined
}
