import type { Violation } from '../dcql/query.ts'
import { isObject } from '../json.ts'
import { describePlace, isClaimName } from './claim-name.ts'
import { comparisons } from './compare-claim.ts'
import { findRequirementViolation } from './requirement.ts'

const maxRules = 50
const maxYears = 150

/** Checks requirements and derivations. Both must refer to names of the vocabulary. */
export function checkRules({ claims, must = {}, derive = {} }: Record<string, unknown>): Violation[] {
  const names = new Set(Object.keys(isObject(claims) ? claims : {}))
  const derived = new Set([...names, ...Object.keys(isObject(derive) ? derive : {})])
  return [
    ...checkEach(must, 'must', (name, rule) => {
      if (claims !== undefined && !derived.has(name))
        return 'refers to a name that the vocabulary does not have'
      return findRequirementViolation(rule)
    }),
    ...checkEach(derive, 'derive', (name, rule) => {
      if (!isClaimName(name))
        return 'must be 1-64 lower case letters, digits and underscores, starting with a letter'
      if (!isObject(rule) || typeof rule.from !== 'string' || !names.has(rule.from) || rule.from === name) {
        return 'must derive from another name of the vocabulary'
      }
      if ('matches' in rule) return findComparisonViolation(rule)
      return isYears(rule.at_least_years) ? undefined : `at_least_years must be an integer of 1-${maxYears}`
    }),
  ]
}

function checkEach(
  rules: unknown,
  place: string,
  findViolation: (name: string, rule: unknown) => string | undefined,
): Violation[] {
  if (!isObject(rules)) return [{ place, rule: 'must be an object' }]
  const entries = Object.entries(rules)
  if (entries.length > maxRules) return [{ place, rule: `at most ${maxRules} rules, got ${entries.length}` }]
  return entries.flatMap(([name, value], index) => {
    const rule = findViolation(name, value)
    return rule === undefined ? [] : [{ place: describePlace(place, name, index), rule }]
  })
}

function findComparisonViolation({ matches, at_least_years }: Record<string, unknown>): string | undefined {
  if (at_least_years !== undefined) return 'must have either at_least_years or matches'
  return comparisons.some((each) => each === matches)
    ? undefined
    : `matches must be ${comparisons.join(', ')}`
}

function isYears(years: unknown): boolean {
  return Number.isInteger(years) && Number(years) >= 1 && Number(years) <= maxYears
}
