import { vocabulary } from './catalogue.ts'

/** The requirements that the form can show: an age must be true, a date may have a range and a text a set of values. */
export type Condition =
  | { equals: true }
  | { not_empty: true }
  | { in: readonly string[] }
  | { min?: string; max?: string }
  /** Compared with what the merchant has. The claim itself is neither stored nor shown. */
  | { compare: true }

export type ConditionKind = keyof typeof newConditions

export const newConditions = {
  equals: { equals: true },
  not_empty: { not_empty: true },
  in: { in: [] },
  range: {},
  compare: { compare: true },
} as const satisfies Record<string, Condition>

/** The conditions that the form offers for a claim, the usual one first. */
export function listConditions(claim: string): readonly ConditionKind[] {
  if (claim.startsWith('age_over_')) return ['equals']
  const type = vocabulary.find(({ name }) => name === claim)?.as
  if (type === 'date') return ['not_empty', 'range', 'compare']
  return type === 'image' || claim === 'driving_privileges' ? ['not_empty'] : ['not_empty', 'in', 'compare']
}

export function kindOfCondition(condition: Condition): ConditionKind {
  if ('equals' in condition) return 'equals'
  if ('not_empty' in condition) return 'not_empty'
  if ('compare' in condition) return 'compare'
  return 'in' in condition ? 'in' : 'range'
}

/** Whether the merchant receives no more than yes or no. */
export function isCompared(condition: Condition | undefined): boolean {
  return condition !== undefined && 'compare' in condition
}

const suffix = '_matches'
const names: readonly string[] = ['given_name', 'family_name', 'street_address', 'locality']

type NamedCondition = readonly [claim: string, condition: Condition]

/** The requirements of a template. A claim that is compared is dropped, so its comparison is required instead. */
export function composeMust(conditions: readonly NamedCondition[]): Record<string, unknown> {
  return Object.fromEntries(
    conditions.map(([claim, condition]) =>
      'compare' in condition ? [claim + suffix, newConditions.equals] : [claim, condition],
    ),
  )
}

export function composeComparisons(conditions: readonly NamedCondition[]): Record<string, unknown> {
  return Object.fromEntries(
    conditions.flatMap(([claim, condition]) =>
      'compare' in condition ? [[claim + suffix, { from: claim, matches: matchingOf(claim) }]] : [],
    ),
  )
}

function matchingOf(claim: string): 'name' | 'date' | 'exact' {
  if (vocabulary.some(({ name, as }) => name === claim && as === 'date')) return 'date'
  return names.includes(claim) ? 'name' : 'exact'
}

/** Reads requirements back. Undefined if the form has no condition for one; how a claim is compared is not read. */
export function readConditions(must: Record<string, unknown>): Record<string, Condition> | undefined {
  const read = Object.entries(must).map(([name, rule]) => readCondition(name, { ...(rule as object) })) // spreading what is no object gives nothing
  return read.includes(undefined) ? undefined : Object.fromEntries(read.filter((each) => each !== undefined))
}

function readCondition(name: string, rule: Record<string, unknown>): NamedCondition | undefined {
  if (name.endsWith(suffix) && rule['equals'] === true)
    return [name.slice(0, -suffix.length), newConditions.compare]
  const offered = listConditions(name)
  const { equals, not_empty, in: accepted, min, max } = rule
  const isText = (value: unknown) => typeof value === 'string'
  if (equals === true && offered.includes('equals')) return [name, newConditions.equals]
  if (not_empty === true && offered.includes('not_empty')) return [name, newConditions.not_empty]
  if (Array.isArray(accepted) && accepted.every(isText) && offered.includes('in'))
    return [name, { in: accepted }]
  const bounds = Object.entries({ min, max }).filter(([, bound]) => bound !== undefined)
  if (!offered.includes('range') || !bounds.every(([, bound]) => isText(bound))) return undefined
  return [name, Object.fromEntries(bounds)]
}
