import type { OperatorTenantDetail } from '@vidimus/contract'

/** What a plan limits beside the quota. */
export const limitNames = [
  'devices',
  'registrations_a_day',
  'members',
  'invitations',
  'keys',
  'templates',
] as const satisfies readonly (keyof OperatorTenantDetail['limits'])[]

export const valueNames = ['daily_quota', ...limitNames] as const

/** A whole number as somebody types it. Undefined if it is none. */
export function readCount(text: string): number | undefined {
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined
}
