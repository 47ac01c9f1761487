import type { z } from 'zod'

const mostIssues = 5
const longestName = 64

/** What is wrong with a body or a query, place by place: `ttl_seconds: must be …; colour: is not expected here`. */
export function explain({ issues }: z.ZodError): string {
  return `${issues.slice(0, mostIssues).flatMap(describe).join('; ')}.`
}

function describe(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys
      .slice(0, mostIssues)
      .map((key) => `${place([...issue.path, key])}: is not expected here`)
  }
  const message = inWords(issue)
  return [issue.path.length === 0 ? message : `${place(issue.path)}: ${message}`]
}

/** The rule and, of a number, what came: `must be at least 60, got 30`. Never a text: it may hold anything. */
function inWords(issue: z.core.$ZodIssue): string {
  const got = typeof issue.input === 'number' ? `, got ${issue.input}` : ''
  const what = 'origin' in issue ? (sizes[issue.origin] ?? '') : ''
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}${what}${got}`
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${what}${got}`
  return issue.message.replace(/^Invalid input: /, '')
}

const sizes: Partial<Record<string, string>> = { string: ' characters long', array: ' items long' }

function place(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part).slice(0, longestName)}`))
    .join('')
    .replace(/^\./, '')
}
