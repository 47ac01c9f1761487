import { isObject } from '../json.ts'
import type { AnyQuery, Violation } from './query.ts'

export const MAX_CREDENTIALS = 20
export const MAX_CLAIMS = 200

/** The bounds that a query exceeds (GEN-11). One within them is checked and matched in linear time. */
export function checkBounds({ credentials }: AnyQuery): Violation[] {
  const claims = credentials.reduce((sum, credential) => sum + countClaims(credential), 0)
  return [
    ...checkCount(credentials.length, MAX_CREDENTIALS, 'credentials'),
    ...checkCount(claims, MAX_CLAIMS, 'claims over all credentials'),
  ]
}

function checkCount(count: number, limit: number, what: string): Violation[] {
  if (count <= limit) return []
  return [{ place: 'query.credentials', rule: `at most ${limit} ${what}, got ${count}` }]
}

function countClaims(credential: unknown): number {
  return isObject(credential) && Array.isArray(credential.claims) ? credential.claims.length : 0
}
