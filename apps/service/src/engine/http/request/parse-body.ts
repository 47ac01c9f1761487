import { isText } from '@vidimus/contract'
import { Refusal } from '../../basics/refusal.ts'

export const maxDepth = 32
/** Members and items of a JSON body at all levels. The cost of parsing and validation depends on their number, not on bytes. */
export const maxJsonValues = { json: 10_000, large_json: 50_000 }
export const maxFormFields = 20

/** Refuses JSON with too many values before it is parsed. */
export function countValues(text: string, max: number): void {
  if (hasMoreValues(text, max)) throw invalidRequest(`The body has more than ${max} values.`)
}

export function parseJson(text: string): unknown {
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

/** Refuses a form with too many fields before it is parsed. */
export function countFields(text: string): void {
  if (hasMoreFields(text, maxFormFields))
    throw invalidRequest(`The form has more than ${maxFormFields} fields.`)
}

/** Parses a form. A repeated field is refused, because it is unclear which value counts. */
export function parseForm(text: string): Record<string, string> {
  const fields = new Map<string, string>()
  for (const field of text.split('&')) {
    if (field === '') continue
    const end = field.includes('=') ? field.indexOf('=') : field.length
    const name = unescapeText(field.slice(0, end))
    if (fields.has(name)) throw invalidRequest('A field is given more than once.')
    if (name === '__proto__') throw invalidRequest('The body has a field named __proto__.')
    fields.set(name, unescapeText(field.slice(end + 1)))
  }
  return Object.fromEntries(fields)
}

/** Unescaping a megabyte takes 4 ms. Only a wallet response is that long, and the thread that verifies it reads its text itself. */
const maxUnescaped_characters = 64 * 1024

function unescapeText(text: string): string {
  if (text.length > maxUnescaped_characters || !(text.includes('%') || text.includes('+'))) return text
  return new URLSearchParams(`=${text}`).get('') ?? ''
}

export function invalidRequest(message: string): Refusal {
  return new Refusal('invalid_request', message)
}

/** Counts opening brackets and commas outside strings before anything is parsed. */
function hasMoreValues(text: string, max: number): boolean {
  // A text this short cannot contain more.
  if (text.length <= max) return false
  let count = 0
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index)
    if (character === quote) {
      index = endOfString(text, index)
      if (index < 0) return false
    } else if (character === comma || character === bracket || character === brace) {
      count += 1
      if (count > max) return true
    }
  }
  return false
}

/** The index of the quote that ends the string, or -1: then the text is not JSON. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    if (end < 0) return -1
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes += 1
    if (backslashes % 2 === 0) return end
  }
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
  if (Array.isArray(value)) {
    for (const item of value) checkJson(item, depth + 1)
    return
  }
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__') throw invalidRequest('The body has a member named __proto__.')
    checkText(name)
    checkJson(member, depth + 1)
  }
}

function checkText(text: string): void {
  if (!isText(text)) throw invalidRequest('The body contains a NUL or a lone surrogate.')
}
