import { checkBounds } from '../dcql/bound.ts'
import { checkQuery } from '../dcql/check.ts'
import type { AnyQuery, Violation } from '../dcql/query.ts'
import { isListOf, isObject, isProperText, isText } from '../json.ts'
import { checkDropped } from './check-dropped.ts'
import { checkRules } from './check-rules.ts'
import { checkVocabulary } from './check-vocabulary.ts'
import type { Template } from './template.ts'

const MAX_NAME = 64
const MAX_DESCRIPTION = 500
const members = ['name', 'description', 'query', 'claims', 'must', 'derive', 'sources']

/** What is wrong with a template, by place and rule; none when it can be used (TPL-1). */
export function checkTemplate(template: unknown): Violation[] {
  if (!isObject(template)) return [{ place: 'template', rule: 'must be an object' }]
  const violations = [...checkMembers(template), ...checkQuery(template.query), ...checkRules(template)]
  const { query } = template
  if (isQuery(query)) violations.push(...checkBounds(query), ...checkVocabulary(template.claims, query))
  // Without a violation up to here its members are what they should be.
  return violations.length > 0 ? violations : checkDropped(template as Template)
}

export function isTemplate(template: unknown): template is Template {
  return checkTemplate(template).length === 0
}

function checkMembers(template: Record<string, unknown>): Violation[] {
  const { name, description, sources = ['none'] } = template
  const unknown = Object.keys(template).some((member) => !members.includes(member))
  return [
    ...(unknown ? [{ place: 'template', rule: `has members beside ${members.join(', ')}` }] : []),
    ...checkText(name, 'name', MAX_NAME),
    ...checkText(description, 'description', MAX_DESCRIPTION),
    ...(isListOf(sources, isText)
      ? []
      : [{ place: 'sources', rule: 'must be a non-empty array of strings' }]),
  ]
}

function checkText(text: unknown, place: string, limit: number): Violation[] {
  if (isText(text) && isProperText(text) && Array.from(text).length <= limit) return []
  return [{ place, rule: `must be text of 1-${limit} characters` }]
}

function isQuery(query: unknown): query is AnyQuery {
  return isObject(query) && isListOf(query.credentials, isObject)
}
