export type Shares = {
  /** Takes an amount for an owner. Undefined when the owner, or all owners together, would then have too much. */
  take(owner: string, amount: number): Share | undefined
}

type Share = { release(): void }

/** Divides something scarce among owners: each may have up to `each` of it at a time, all together up to `all`. */
export function openShares({ each, all }: { each: number; all: number }): Shares {
  const taken = new Map<string, number>()
  let total = 0
  return {
    take(owner, amount) {
      const own = (taken.get(owner) ?? 0) + amount
      if (own > each || total + amount > all) return undefined
      taken.set(owner, own)
      total += amount
      let released = false
      return {
        release() {
          if (released) return
          released = true
          total -= amount
          const left = (taken.get(owner) ?? 0) - amount
          if (left === 0) taken.delete(owner)
          else taken.set(owner, left)
        },
      }
    },
  }
}
