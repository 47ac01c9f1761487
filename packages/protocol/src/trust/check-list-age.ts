import { InputError } from '../input-error.ts'

export type ListAge = {
  sequence_number: number
  /** Seconds since 1970. The list expires at `next_update`. */
  issued_at: number
  next_update: number
}

export type ListAgeRequest = {
  /** The number and the time of issue of the last accepted copy: a list with a lower number or an earlier time is refused. */
  last_sequence_number?: number
  last_issued_at?: number
  /** Seconds since 1970. */
  now: number
}

const maxClockSkew_seconds = 300

/** A list that is older than the last copy, issued in the future, or expired is refused. Throws an InputError. */
export function checkListAge(
  { sequence_number, issued_at, next_update }: ListAge,
  { last_sequence_number = 0, last_issued_at = 0, now }: ListAgeRequest,
): void {
  if (!Number.isSafeInteger(sequence_number)) throw new InputError('the trust list has no sequence number')
  if (sequence_number < last_sequence_number || issued_at < last_issued_at)
    throw new InputError('the trust list is older than the previous one')
  if (issued_at > now + maxClockSkew_seconds) throw new InputError('the trust list was issued in the future')
  if (next_update <= now) throw new InputError('the trust list has expired')
}

/** Seconds since 1970 of a date and time as in RFC 3339. Throws an InputError. */
export function readListTime(value: unknown, name: string): number {
  const time = typeof value === 'string' ? Date.parse(value) / 1000 : NaN
  if (Number.isNaN(time)) throw new InputError(`${name} of the trust list is not a date and time`)
  return time
}
