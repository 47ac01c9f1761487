export type MaxSlots = {
  /** For one holder: a member, a tenant, an address. */
  each: number
  /** In this process. */
  all: number
}

export type Slots = {
  /** Takes a slot and returns what frees it, or says what is at its bound: `each`, this holder; `all`, the process. */
  take(holder: string): FreeSlot | keyof MaxSlots
}

export type FreeSlot = () => void

/** Counts what is open at a time, for each holder and in all. */
export function openSlots(max: MaxSlots): Slots {
  const taken = new Map<string, number>()
  let all = 0

  return {
    take(holder) {
      const theirs = taken.get(holder) ?? 0
      if (theirs >= max.each) return 'each'
      if (all >= max.all) return 'all'
      taken.set(holder, theirs + 1)
      all += 1
      let freed = false
      return () => {
        if (freed) return
        freed = true
        all -= 1
        const left = (taken.get(holder) ?? 1) - 1
        if (left === 0) taken.delete(holder)
        else taken.set(holder, left)
      }
    },
  }
}
