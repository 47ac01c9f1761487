import { isText } from '@vidimus/contract'
import { Refusal } from '../refusal.ts'

export const maxDepth = 32

export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's message quotes the body, which may hold anything.
    throw invalid('The body is not valid JSON.')
  }
  checkJson(value, 1)
  return value
}

/** Each name once: of two values nobody could say which one counts. */
export function parseForm(text: string): Record<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.has(name)) throw invalid('A field is given more than once.')
    if (name === '__proto__') throw invalid('The body has a field named __proto__.')
    fields.set(name, value)
  }
  return Object.fromEntries(fields)
}

export function invalid(message: string): Refusal {
  return new Refusal('invalid_request', message)
}

/** Refuses what could not be stored, or would be read differently further on (GEN-10). */
function checkJson(value: unknown, depth: number): void {
  if (typeof value === 'string') return checkText(value)
  if (typeof value !== 'object' || value === null) return
  if (depth > maxDepth) throw invalid(`The body is nested more than ${maxDepth} deep.`)
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__') throw invalid('The body has a member named __proto__.')
    checkText(name)
    checkJson(member, depth + 1)
  }
}

function checkText(text: string): void {
  if (!isText(text)) throw invalid('The body holds a NUL or a lone surrogate.')
}
