import type { Violation } from '../dcql/query.ts'
import { isNonEmptyArrayOf, isObject } from '../json.ts'
import { describePlace, isClaimName } from './claim-name.ts'
import type { Parameter, ParameterTable, ParameterValue } from './template.ts'

/** Each combination of values makes a version of its own, which is stored. */
export const maxParameterCombinations = 1000
export const maxParameters = 10

/** What makes `parameters` unusable, by place and rule. */
export function checkParameters(parameters: unknown): Violation[] {
  if (!isObject(parameters)) return [{ place: 'parameters', rule: 'must be an object' }]
  const entries = Object.entries(parameters)
  if (entries.length < 1 || entries.length > maxParameters)
    return [{ place: 'parameters', rule: `must have 1-${maxParameters} members, got ${entries.length}` }]
  const violations = entries.flatMap(([name, parameter], index) => {
    const rule = isClaimName(name)
      ? findParameterViolation(parameter, parameters)
      : 'must be 1-64 lower case letters, digits and underscores, starting with a letter'
    return rule === undefined ? [] : [{ place: describePlace('parameters', name, index), rule }]
  })
  if (violations.length > 0) return violations
  const combinations = Object.values(parameters as Parameters) // checked just now
    .reduce((product, parameter) => product * countValues(parameter), 1)
  return combinations <= maxParameterCombinations
    ? []
    : [{ place: 'parameters', rule: `at most ${maxParameterCombinations} combinations of values` }]
}

export type Parameters = Record<string, Parameter>

function countValues(parameter: Parameter): number {
  if ('by' in parameter) return 1
  return parameter.type === 'integer' ? parameter.max - parameter.min + 1 : parameter.enum.length
}

function findParameterViolation(parameter: unknown, others: Record<string, unknown>): string | undefined {
  if (!isObject(parameter)) return parameterRule
  if ('by' in parameter) return findTableViolation(parameter, others)
  const { type, min, max, enum: accepted, default: fallback, ...unknown } = parameter
  if (Object.keys(unknown).length > 0) return parameterRule
  if (type === 'integer') {
    if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max) || accepted !== undefined)
      return 'an integer has min and max'
    if (Number(min) > Number(max)) return 'min must not be more than max'
  } else if (type === 'string') {
    if (!isNonEmptyArrayOf(accepted, isWord) || min !== undefined || max !== undefined)
      return `a string has enum, a non-empty array of ${wordRule}`
    if (new Set(accepted).size < accepted.length) return 'enum has a value twice'
  } else return parameterRule
  const isFallback =
    fallback === undefined || accepts(parameter as Exclude<Parameter, ParameterTable>, fallback) // checked just now
  return isFallback ? undefined : 'default must be a value that it accepts'
}

const wordRule = 'texts of 1-64 letters, digits, dots, hyphens and underscores'
const parameterRule =
  'must be {"type": "integer", "min": …, "max": …}, {"type": "string", "enum": […]}, each perhaps with "default", or {"by": name, "values": {…}}'

/** A table has a value for each value of another parameter. */
function findTableViolation(
  { by, values, default: fallback, ...unknown }: Record<string, unknown>,
  others: Record<string, unknown>,
): string | undefined {
  const source = typeof by === 'string' && Object.hasOwn(others, by) ? others[by] : undefined
  if (!isObject(source) || source['type'] !== 'string' || !Array.isArray(source['enum']))
    return 'by must name a parameter of type string'
  if (!isObject(values) || Object.keys(unknown).length > 0) return parameterRule
  const given = [...Object.values(values), ...(fallback === undefined ? [] : [fallback])]
  const types = new Set(given.map((value) => typeof value))
  if (types.size !== 1 || !given.every((value) => isWord(value) || Number.isSafeInteger(value)))
    return `values must be integers, or ${wordRule}`
  const keys = new Set<unknown>(source['enum'])
  if (Object.keys(values).some((key) => !keys.has(key)))
    return `values has a key that ${String(by)} does not accept`
  return fallback !== undefined || keys.size === Object.keys(values).length
    ? undefined
    : `needs a default, or a value for each value of ${String(by)}`
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.-]{1,64}$/.test(value)
}

function accepts(parameter: Exclude<Parameter, ParameterTable>, value: unknown): value is ParameterValue {
  if (parameter.type === 'string') return parameter.enum.some((each) => each === value)
  return Number.isSafeInteger(value) && parameter.min <= Number(value) && Number(value) <= parameter.max
}

/** The value of every parameter from those that a caller gave, or why there is none. */
export function resolveValues(
  parameters: Parameters,
  given: Readonly<Record<string, unknown>>,
): { values: Map<string, ParameterValue> } | { violation: Violation } {
  const values = new Map<string, ParameterValue>()
  const unknown = Object.keys(given).find((name) => !isGiven(parameters, name))
  if (unknown !== undefined) {
    const names = Object.keys(parameters).filter((name) => isGiven(parameters, name))
    return { violation: { place: 'parameters', rule: `may have ${names.join(', ')} for this template` } }
  }
  for (const [name, parameter] of Object.entries(parameters)) {
    if ('by' in parameter) continue
    const value = Object.hasOwn(given, name) ? given[name] : parameter.default
    const place = `parameters.${name}`
    if (value === undefined) return { violation: { place, rule: 'is missing and has no default' } }
    if (!accepts(parameter, value)) return { violation: { place, rule: describeAccepted(parameter) } }
    values.set(name, value)
  }
  for (const [name, parameter] of Object.entries(parameters)) {
    if (!('by' in parameter)) continue
    const key = String(values.get(parameter.by))
    const value = Object.hasOwn(parameter.values, key) ? parameter.values[key] : parameter.default
    if (value !== undefined) values.set(name, value)
  }
  return { values }
}

/** A table is looked up, never given. */
function isGiven(parameters: Parameters, name: string): boolean {
  const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined
  return parameter !== undefined && !('by' in parameter)
}

const maxNamed = 20

function describeAccepted(parameter: Exclude<Parameter, ParameterTable>): string {
  if (parameter.type === 'integer') return `must be an integer from ${parameter.min} to ${parameter.max}`
  const named = parameter.enum.slice(0, maxNamed).join(', ')
  return `must be one of ${named}${parameter.enum.length > maxNamed ? ' and others' : ''}`
}

const placeholder = /\{([a-z][a-z0-9_]*)\}/g

/** Replaces `{name}` in every text and member name, and `{"parameter": name}` by the value itself. `used` gets the names that occur. */
export function substitute(
  value: unknown,
  values: ReadonlyMap<string, ParameterValue>,
  used: Set<string> = new Set(),
): unknown {
  const fill = (text: string) =>
    text.replaceAll(placeholder, (whole, name: string) => {
      used.add(name)
      return String(values.get(name) ?? whole)
    })
  if (typeof value === 'string') return fill(value)
  if (Array.isArray(value)) return value.map((each) => substitute(each, values, used))
  if (!isObject(value)) return value
  const entries = Object.entries(value)
  const [[member, name] = []] = entries
  if (entries.length === 1 && member === 'parameter' && typeof name === 'string') {
    used.add(name)
    return values.get(name) ?? value
  }
  return Object.fromEntries(
    entries.map(([key, each]) => [fill(key), substitute(each, values, used)] as const),
  )
}
