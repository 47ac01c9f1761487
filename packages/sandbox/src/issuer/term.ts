import type { Condition } from '../documents/holding.ts'

/** When a document was signed and for how long it is good. */
export type Term = { readonly signed: Date; readonly from: Date; readonly until: Date }

const day = 86_400_000

/** In days from now. Two weeks, as technical validities go. */
const terms = {
  valid: { signed: -1, from: -1, until: 13 },
  revoked: { signed: -1, from: -1, until: 13 },
  suspended: { signed: -1, from: -1, until: 13 },
  expired: { signed: -15, from: -15, until: -1 },
  not_yet_valid: { signed: -1, from: 1, until: 14 },
} satisfies Record<Condition, Record<keyof Term, number>>

export function termOf(condition: Condition, now: Date): Term {
  const { signed, from, until } = terms[condition]
  const at = (days: number) => new Date(unixSeconds(now) * 1000 + days * day)
  return { signed: at(signed), from: at(from), until: at(until) }
}

export function unixSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
