import { failure } from '../findings.ts'
import { isStorableText, maxDepth, type Json, type JsonObject } from '../json.ts'
import type { Finding } from '../presentation.ts'

/** The maximum number of values in all claims of one response (GEN-11). */
export const maxClaimValues = 10_000

/** How many more values the credentials of one response may have. */
export type ValueQuota = { remaining: number }

/**
 * Finds claims that cannot be traversed, stored or displayed safely: text that is not valid Unicode or contains NUL (GEN-10),
 * numbers that are not finite, excessive nesting. Returns the first problem found.
 */
export function inspectClaims(claims: JsonObject, quota: ValueQuota): Finding[] {
  const pending: { value: Json; depth: number }[] = [{ value: claims, depth: 1 }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next
    quota.remaining -= 1
    if (quota.remaining < 0)
      return [failure('credential_encoding', `the response has more than ${maxClaimValues} values`)]
    if (depth > maxDepth) return [failure('credential_encoding', `nested deeper than ${maxDepth}`)]
    if (typeof value === 'string' && !isStorableText(value))
      return [failure('credential_text', 'a claim contains NUL or an unpaired surrogate')]
    if (typeof value === 'number' && !Number.isFinite(value))
      return [failure('credential_encoding', 'a number is not finite')]
    if (typeof value !== 'object' || value === null) continue

    if (!Array.isArray(value) && !Object.keys(value).every(isStorableText))
      return [failure('credential_text', 'a claim name contains NUL or an unpaired surrogate')]
    for (const member of Object.values(value)) pending.push({ value: member, depth: depth + 1 })
  }
  return []
}
