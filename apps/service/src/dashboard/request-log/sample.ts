/** Of one tenant and environment, in one process and second: this many successes and as many failures are all recorded. */
export const fullRate = 100
/** Of those beyond it, one in so many. */
export const sampleRatio = 20
/** Tenants whose omitted requests are counted at a time. */
const maxOwners = 10_000

type OwnerCount = { succeeded: number; failed: number; omitted: number }

/**
 * Decides which requests are recorded: all of a caller with a moderate rate, a sample of a busy one. Failures have a share of
 * their own, so that successes do not hide them.
 */
export function openSampler() {
  const owners = new Map<string, OwnerCount>()

  function countOf(owner: string): OwnerCount {
    const known = owners.get(owner)
    if (known !== undefined) return known
    const count = { succeeded: 0, failed: 0, omitted: 0 }
    if (owners.size < maxOwners) owners.set(owner, count)
    return count
  }

  return {
    /** How many requests of this owner were omitted before this one; undefined if this one is omitted too. */
    admit(owner: string, outcome: 'succeeded' | 'failed'): number | undefined {
      const count = countOf(owner)
      count[outcome] += 1
      if (count[outcome] > fullRate && count[outcome] % sampleRatio !== 0) {
        count.omitted += 1
        return undefined
      }
      const { omitted } = count
      count.omitted = 0
      return omitted
    },
    /** Counts requests that were admitted and could not be kept. */
    omit(owner: string, requests: number): void {
      countOf(owner).omitted += requests
    },
    /** Begins the next second. */
    reset(): void {
      for (const [owner, count] of owners) {
        if (count.omitted === 0) owners.delete(owner)
        else Object.assign(count, { succeeded: 0, failed: 0 })
      }
    },
  }
}
