export type MaxSlots = {
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
