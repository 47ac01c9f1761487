import { isStorableText, maxDepth, type Json, type JsonObject } from '../json.ts'
import type { Finding } from '../presentation.ts'

/** Values in all claims of one answer (GEN-11): what the claims of a query are evaluated on. */
export const maxClaimValues = 10_000

/** How many values the credentials of one answer may still have. */
export type ValueQuota = { remaining: number }

/**
 * What keeps claims from being walked, stored or shown safely: text that is no Unicode or holds NUL (GEN-10), numbers that
 * are none, nesting without end. The first fault found, or none.
 */
export function inspectClaims(claims: JsonObject, quota: ValueQuota): Finding[] {
  const pending: { value: Json; depth: number }[] = [{ value: claims, depth: 1 }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next
    quota.remaining -= 1
    if (quota.remaining < 0)
      return failWith('credential_encoding', `the answer has more than ${maxClaimValues} values`)
    if (depth > maxDepth) return failWith('credential_encoding', `nested deeper than ${maxDepth}`)
    if (typeof value === 'string' && !isStorableText(value))
      return failWith('credential_text', 'a claim holds NUL or half a character')
    if (typeof value === 'number' && !Number.isFinite(value))
      return failWith('credential_encoding', 'a number is not finite')
    if (typeof value !== 'object' || value === null) continue

    if (!Array.isArray(value) && !Object.keys(value).every(isStorableText))
      return failWith('credential_text', 'the name of a claim holds NUL or half a character')
    for (const member of Object.values(value)) pending.push({ value: member, depth: depth + 1 })
  }
  return []
}

function failWith(check: 'credential_encoding' | 'credential_text', detail: string): Finding[] {
  return [{ check, status: 'fail', detail }]
}
