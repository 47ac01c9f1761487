import { Refusal } from '../basics/refusal.ts'
import type { ReleaseSlot, Slots } from './slots.ts'

const retryAfter_seconds = 1

/**
 * Takes a slot for an expensive read, or refuses the request: 429 if the owner has reached its limit, 503 if the process has.
 * `what` is the singular of what is read, such as `large page`.
 */
export function takeReadSlot(slots: Slots, owner: string, what: string): ReleaseSlot {
  const slot = slots.take(owner)
  if (slot === 'each')
    throw new Refusal(
      'rate_limit_exceeded',
      `Another ${what} is being read. Try again in a moment.`,
      retryAfter_seconds,
    )
  if (slot === 'all')
    throw new Refusal(
      'overloaded',
      `Too many ${what}s are being read. Try again in a moment.`,
      retryAfter_seconds,
    )
  return slot
}
