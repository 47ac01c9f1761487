import type { Violation } from '../dcql/query.ts'
import { isObject } from '../json.ts'
import { checkExpected } from './compare-claim.ts'
import { checkPlainTemplate, isPlainTemplate } from './check.ts'
import { checkParameters, resolveValues, substitute, type Parameters } from './parameters.ts'
import type { ParameterisedTemplate, ParameterValue, SavedTemplate, Template } from './template.ts'

/** Returns the violations of a template by place and rule. Empty if it can be saved. */
export function checkTemplate(template: unknown): Violation[] {
  return isParameterised(template) ? checkParameterised(template) : checkPlainTemplate(template)
}

/** True if it can be used. A saved template stays usable after a bound is lowered. */
export function isTemplate(template: unknown): template is SavedTemplate {
  return isParameterised(template)
    ? checkParameters(template.parameters).length === 0
    : isPlainTemplate(template)
}

/** What has to be given besides the key of a template; undefined if nothing, so that a till or a site can ask with it. */
export function findMissingInput(template: SavedTemplate): string | undefined {
  const bound = bindTemplate(template)
  return 'violation' in bound ? bound.violation.place : checkExpected(bound.template, {})?.place
}

/** The template with these values instead of its parameters, or the reason why there is none. A template without parameters is its own. */
export function bindTemplate(
  template: SavedTemplate,
  given: Readonly<Record<string, unknown>> = {},
): { template: Template } | { violation: Violation } {
  if (!isParameterised(template)) {
    if (Object.keys(given).length === 0) return { template }
    return { violation: { place: 'parameters', rule: 'must be empty: this template has none' } }
  }
  const { parameters, ...body } = template
  const resolved = resolveValues(parameters, given)
  if ('violation' in resolved) return resolved
  const bound = substitute(body, resolved.values)
  if (isPlainTemplate(bound)) return { template: bound }
  const [{ place, rule } = { place: 'template', rule: 'is not valid' }] = checkPlainTemplate(bound)
  return { violation: { place: 'parameters', rule: `make the template invalid. ${place}: ${rule}` } }
}

/** The template with its defaults, and the lowest value of a parameter that has none: to describe what it asks. */
export function sampleTemplate(template: SavedTemplate): Template | undefined {
  if (!isParameterised(template)) return template
  const lowest = sample(template.parameters, 'first')
  const given = Object.entries(template.parameters).flatMap(([name, each]) =>
    'by' in each ? [] : [[name, each.default ?? lowest.get(name)] as const],
  )
  const bound = bindTemplate(template, Object.fromEntries(given))
  return 'template' in bound ? bound.template : undefined
}

function isParameterised(template: unknown): template is ParameterisedTemplate {
  return isObject(template) && template['parameters'] !== undefined
}

/** Checks the template as it is with the lowest and with the highest values: what is in between differs in nothing but these. */
function checkParameterised({ parameters, ...body }: ParameterisedTemplate): Violation[] {
  const violations = checkParameters(parameters)
  if (violations.length > 0) return violations
  const used = new Set(Object.values(parameters).flatMap((each) => ('by' in each ? [each.by] : [])))
  const [lowest, highest] = [sample(parameters, 'first'), sample(parameters, 'last')]
  const bodies = [lowest, highest].map((values) => substitute(body, values, used))
  const undeclared = [...used].find((name) => !Object.hasOwn(parameters, name))
  if (undeclared !== undefined)
    return [{ place: 'parameters', rule: `must declare ${undeclared}, which the template refers to` }]
  const unused = Object.keys(parameters).find((name) => !used.has(name))
  if (unused !== undefined) return [{ place: `parameters.${unused}`, rule: 'is not used in the template' }]
  return bodies.map(checkPlainTemplate).find((found) => found.length > 0) ?? []
}

function sample(parameters: Parameters, end: 'first' | 'last'): Map<string, ParameterValue> {
  const given = Object.entries(parameters).flatMap(([name, parameter]) => {
    if ('by' in parameter) return []
    const values =
      parameter.type === 'integer' ? [parameter.min, parameter.max] : parameter.enum.toSorted(byLength)
    return [[name, end === 'first' ? values[0] : values.at(-1)] as const]
  })
  const resolved = resolveValues(parameters, Object.fromEntries(given))
  return 'values' in resolved ? resolved.values : new Map()
}

function byLength(a: string, b: string): number {
  return a.length - b.length
}
