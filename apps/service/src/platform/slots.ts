export type MaxSlots = {
  /** For one holder: a member, a tenant, an address. */
  each: number
  /** In this process. */
  all: number
}

export type Slots = {
  /** Takes a slot, or several, and returns what frees them; or says what is at its bound: `each`, this holder; `all`, the process. */
  take(holder: string, count?: number): FreeSlot | keyof MaxSlots
}

export type FreeSlot = () => void

/** Counts what is in use at a time, for each holder and in all. */
export function openSlots(max: MaxSlots): Slots {
  const taken = new Map<string, number>()
  let all = 0

  return {
    take(holder, count = 1) {
      const theirs = taken.get(holder) ?? 0
      if (theirs + count > max.each) return 'each'
      if (all + count > max.all) return 'all'
      taken.set(holder, theirs + count)
      all += count
      let freed = false
      return () => {
        if (freed) return
        freed = true
        all -= count
        const left = (taken.get(holder) ?? count) - count
        if (left === 0) taken.delete(holder)
        else taken.set(holder, left)
      }
    },
  }
}
