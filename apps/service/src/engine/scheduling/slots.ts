import { Refusal } from '../basics/refusal.ts'

type MaxSlots = {
  /** Per owner: a member, a tenant or an address. */
  each: number
  /** In the whole process. */
  all: number
}

export type Slots = {
  /** Takes one slot or more and returns a function that releases them; or returns which limit is reached: `each` (this owner) or `all` (the process). */
  take(owner: string, count?: number): ReleaseSlot | keyof MaxSlots
}

export type ReleaseSlot = () => void

/** A counting semaphore with a limit per owner and a limit in total. It never waits. */
export function openSlots(max: MaxSlots): Slots {
  const taken = new Map<string, number>()
  let all = 0

  return {
    take(owner, count = 1) {
      const ownCount = taken.get(owner) ?? 0
      if (ownCount + count > max.each) return 'each'
      if (all + count > max.all) return 'all'
      taken.set(owner, ownCount + count)
      all += count
      let released = false
      return () => {
        if (released) return
        released = true
        all -= count
        const left = (taken.get(owner) ?? count) - count
        if (left === 0) taken.delete(owner)
        else taken.set(owner, left)
      }
    },
  }
}

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
