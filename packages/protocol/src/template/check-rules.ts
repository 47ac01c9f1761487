import type { Violation } from '../dcql/query.ts'
import { isObject } from '../json.ts'
import { describePlace, isClaimName } from './claim-name.ts'
import { comparisons } from './compare-claim.ts'
import { findRequirementViolation } from './requirement.ts'

const maxRules = 50
const maxYears = 150

/** Checks requirements and derivations. Both must refer to names of the vocabulary. */
export function checkRules({
  claims,
  must = {},
  derive = {},
  clear_claims = [],
}: Record<string, unknown>): Violation[] {
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
    ...checkClearClaims(clear_claims, { must, derive }),
  ]
}

/** Only what is a boolean in every completed verification: whatever else stays readable, nobody could guess its extent. */
function checkClearClaims(names: unknown, { must, derive }: { must: unknown; derive: unknown }): Violation[] {
  if (!Array.isArray(names)) return [{ place: 'clear_claims', rule: 'must be an array of names' }]
  if (names.length > maxRules)
    return [{ place: 'clear_claims', rule: `at most ${maxRules} names, got ${names.length}` }]
  return names.flatMap((name: unknown, index) => {
    const rule = findClearViolation(name, names.indexOf(name) < index, { must, derive })
    return rule === undefined ? [] : [{ place: `clear_claims[${index}]`, rule }]
  })
}

function findClearViolation(
  name: unknown,
  isRepeated: boolean,
  { must, derive }: { must: unknown; derive: unknown },
): string | undefined {
  if (typeof name !== 'string' || !isClaimName(name)) return 'must be the name of a claim'
  if (isRepeated) return 'must not occur twice'
  if (isObject(derive) && Object.hasOwn(derive, name)) return undefined
  const requirement = isObject(must) && Object.hasOwn(must, name) ? must[name] : undefined
  return isObject(requirement) && typeof requirement['equals'] === 'boolean'
    ? undefined
    : 'must be true or false in every result: a claim of derive, or one of which must says that it equals true or false'
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
