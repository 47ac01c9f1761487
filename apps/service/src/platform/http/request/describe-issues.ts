import type { z } from 'zod'

const maxIssues = 5
const maxNameLength = 64

/** A sentence for each problem in a body or a query: `ttl_seconds: must be at least 60, got 30. Unknown field "colour".` */
export function describeIssues({ issues }: z.ZodError): string {
  return `${issues.slice(0, maxIssues).flatMap(describeIssue).join('. ')}.`
}

function describeIssue(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, maxIssues).map((key) => `Unknown field "${formatPath([...issue.path, key])}"`)
  }
  const message = issueMessage(issue)
  return [issue.path.length === 0 ? message : `${formatPath(issue.path)}: ${message}`]
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
