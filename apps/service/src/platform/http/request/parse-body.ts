import { isText } from '@vidimus/contract'
import { Refusal } from '../../refusal.ts'

export const maxDepth = 32
/** Members and items of a JSON body at all levels. The cost of parsing and validation depends on their number, not on bytes. */
export const maxJsonValues = 10_000
export const maxFormFields = 20

export function parseJson(text: string): unknown {
  if (hasMoreValues(text, maxJsonValues))
    throw invalidRequest(`The body has more than ${maxJsonValues} values.`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's message quotes the body, which may contain anything.
    throw invalidRequest('The body is not valid JSON.')
  }
  checkJson(value, 1)
  return value
}

/** Parses a form. A repeated field is refused, because it is unclear which value counts. */
export function parseForm(text: string): Record<string, string> {
  if (hasMoreFields(text, maxFormFields))
    throw invalidRequest(`The form has more than ${maxFormFields} fields.`)
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.has(name)) throw invalidRequest('A field is given more than once.')
    if (name === '__proto__') throw invalidRequest('The body has a field named __proto__.')
    fields.set(name, value)
  }
  return Object.fromEntries(fields)
}

export function invalidRequest(message: string): Refusal {
  return new Refusal('invalid_request', message)
}

/** Counts opening brackets and commas outside strings before anything is parsed. */
function hasMoreValues(text: string, max: number): boolean {
  // A text this short cannot contain more.
  if (text.length <= max) return false
  let count = 0
  let quoted = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index)
    if (quoted) {
      if (character === backslash) index += 1
      else if (character === quote) quoted = false
    } else if (character === quote) quoted = true
    else if (character === comma || character === bracket || character === brace) {
      count += 1
      if (count > max) return true
    }
  }
  return false
}

const [quote, backslash, comma, bracket, brace] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b] as const

function hasMoreFields(text: string, max: number): boolean {
  let index = -1
  for (let separators = 0; separators < max; separators += 1) {
    index = text.indexOf('&', index + 1)
    if (index < 0) return false
  }
  return true
}

/** Refuses values that cannot be stored or that other software would read differently (GEN-10). */
function checkJson(value: unknown, depth: number): void {
  if (typeof value === 'string') return checkText(value)
  if (typeof value !== 'object' || value === null) return
  if (depth > maxDepth) throw invalidRequest(`The body is nested more than ${maxDepth} deep.`)
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__') throw invalidRequest('The body has a member named __proto__.')
    checkText(name)
    checkJson(member, depth + 1)
  }
}

function checkText(text: string): void {
  if (!isText(text)) throw invalidRequest('The body contains a NUL or a lone surrogate.')
}
