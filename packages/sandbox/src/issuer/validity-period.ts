import type { CredentialCondition } from '../documents/credential.ts'

/** When a credential was signed and when it is valid. */
export type ValidityPeriod = { readonly signed: Date; readonly from: Date; readonly until: Date }

const day_ms = 86_400_000

/** In days from now. Two weeks is a typical technical validity. */
const periodsInDays = {
  valid: { signed: -1, from: -1, until: 13 },
  revoked: { signed: -1, from: -1, until: 13 },
  suspended: { signed: -1, from: -1, until: 13 },
  expired: { signed: -15, from: -15, until: -1 },
  not_yet_valid: { signed: -1, from: 1, until: 14 },
} satisfies Record<CredentialCondition, Record<keyof ValidityPeriod, number>>

export function findValidityPeriod(condition: CredentialCondition, now: Date): ValidityPeriod {
  const { signed, from, until } = periodsInDays[condition]
  const dayFromNow = (days: number) => new Date(unixSeconds(now) * 1000 + days * day_ms)
  return { signed: dayFromNow(signed), from: dayFromNow(from), until: dayFromNow(until) }
}

export function unixSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
