import type { z } from 'zod'

const maxIssues = 5
const maxNameLength = 64

/** What is wrong with a body or a query, place by place: `ttl_seconds: must be …; colour: is not expected here`. */
export function describeIssues({ issues }: z.ZodError): string {
  return `${issues.slice(0, maxIssues).flatMap(describeIssue).join('; ')}.`
}

function describeIssue(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys
      .slice(0, maxIssues)
      .map((key) => `${formatPath([...issue.path, key])}: is not expected here`)
  }
  const message = issueMessage(issue)
  return [issue.path.length === 0 ? message : `${formatPath(issue.path)}: ${message}`]
}

/** The rule and, of a number, what came: `must be at least 60, got 30`. Never a text: it may hold anything. */
function issueMessage(issue: z.core.$ZodIssue): string {
  const got = typeof issue.input === 'number' ? `, got ${issue.input}` : ''
  const what = 'origin' in issue ? (sizeUnits[issue.origin] ?? '') : ''
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}${what}${got}`
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${what}${got}`
  return issue.message.replace(/^Invalid input: /, '')
}

const sizeUnits: Partial<Record<string, string>> = { string: ' characters long', array: ' items long' }

function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part).slice(0, maxNameLength)}`))
    .join('')
    .replace(/^\./, '')
}
