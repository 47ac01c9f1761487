export type MaxSlots = {
  /** For one holder: a member, a tenant, an address. */
  each: number
  /** In this process. */
  all: number
}

export type Slots = {
  /** Takes a slot, or several, and returns what frees them; or says what is at its bound: `each`, this holder; `all`, the process. */
  take(owner: string, count?: number): ReleaseSlot | keyof MaxSlots
}

export type ReleaseSlot = () => void

/** Counts what is in use at a time, for each holder and in all. */
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
