import type { z } from 'zod'
import { suggest } from '../../basics/suggest.ts'
import { knownMembers } from './known-members.ts'

const maxIssues = 5
const maxNameLength = 64

/**
 * A sentence for each problem in a body or a query: `ttl_seconds: must be at least 60, got 30. Unknown field "webhookUrl". Did you mean
 * "webhook_url"?`
 */
export function describeIssues(schema: z.ZodType, { issues }: z.ZodError): string {
  return issues
    .slice(0, maxIssues)
    .flatMap((issue) => describeIssue(schema, issue))
    .join(' ')
}

function describeIssue(schema: z.ZodType, issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys') {
    const known = knownMembers(schema, issue.path)
    return issue.keys.slice(0, maxIssues).map((key) => describeUnknownMember(issue.path, key, known))
  }
  const message = issueMessage(issue)
  return [issue.path.length === 0 ? `${message}.` : `${formatPath(issue.path)}: ${message}.`]
}

function describeUnknownMember(path: readonly PropertyKey[], key: string, known: string[]): string {
  const meant = suggest(key, known)
  const unknown = `Unknown field "${formatPath([...path, key])}".`
  return meant === undefined ? unknown : `${unknown} Did you mean "${formatPath([...path, meant])}"?`
}

/** The rule and, for a number, the value that was sent. Text is never repeated, because it may contain anything. */
function issueMessage(issue: z.core.$ZodIssue): string {
  const got = typeof issue.input === 'number' ? `, got ${issue.input}` : ''
  if (issue.code === 'too_small') return `${describeBound('at least', issue.minimum, issue.origin)}${got}`
  if (issue.code === 'too_big') return `${describeBound('at most', issue.maximum, issue.origin)}${got}`
  return issue.message.replace(/^Invalid input: /, '')
}

const sizeUnits: Partial<Record<string, string>> = { string: 'character', array: 'item' }

function describeBound(comparison: string, bound: number | bigint, origin: string): string {
  const unit = sizeUnits[origin]
  if (unit === undefined) return `must be ${comparison} ${bound}`
  return `must have ${comparison} ${bound} ${bound === 1 ? unit : `${unit}s`}`
}

function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part).slice(0, maxNameLength)}`))
    .join('')
    .replace(/^\./, '')
}
