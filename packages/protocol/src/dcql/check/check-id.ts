import type { Violation } from '../query.ts'

/** The syntax of an id of a credential query or claims query (OpenID4VP 1.0 §6.1, §6.3). */
export function checkId(id: unknown, place: string): Violation[] {
  if (id === undefined) return [{ place, rule: 'is missing' }]
  if (typeof id === 'string' && /^[A-Za-z0-9_-]+$/.test(id)) return []
  return [{ place, rule: 'must consist of letters, digits, underscores and hyphens' }]
}
