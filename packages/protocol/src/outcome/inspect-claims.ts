import { isProperText, MAX_DEPTH, type Json, type JsonObject } from '../json.ts'
import type { Finding } from '../presentation.ts'

const MAX_VALUES = 10_000

/**
 * What keeps claims from being walked, stored or shown safely: text that is no Unicode or holds NUL (GEN-10), numbers that
 * are none, nesting without end. The first fault found, or none.
 */
export function inspectClaims(claims: JsonObject): Finding[] {
  const waiting: { value: Json; depth: number }[] = [{ value: claims, depth: 1 }]
  let seen = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, depth } = next
    seen += 1
    if (seen > MAX_VALUES) return fail('credential_encoding', `more than ${MAX_VALUES} values`)
    if (depth > MAX_DEPTH) return fail('credential_encoding', `nested deeper than ${MAX_DEPTH}`)
    if (typeof value === 'string' && !isProperText(value))
      return fail('credential_text', 'a claim holds NUL or half a character')
    if (typeof value === 'number' && !Number.isFinite(value))
      return fail('credential_encoding', 'a number is not finite')
    if (typeof value !== 'object' || value === null) continue

    if (!Array.isArray(value) && !Object.keys(value).every(isProperText))
      return fail('credential_text', 'the name of a claim holds NUL or half a character')
    for (const member of Object.values(value)) waiting.push({ value: member, depth: depth + 1 })
  }
  return []
}

function fail(check: 'credential_encoding' | 'credential_text', detail: string): Finding[] {
  return [{ check, status: 'fail', detail }]
}
