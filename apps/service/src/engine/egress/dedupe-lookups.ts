/** Looks up a key. Undefined if too many different keys are pending. */
export type DedupedLookup<Result> = (key: string) => Promise<Result> | undefined

type PendingLookup<Result> = { done: Promise<void>; next?: Promise<Result> }

/**
 * Combines concurrent lookups of the same key. A request never joins a lookup that has already started; it shares the next
 * one, so every result is newer than its request and nothing is cached.
 */
export function dedupeLookups<Result>(
  lookUp: (key: string) => Promise<Result>,
  maxPending: number,
): DedupedLookup<Result> {
  const pending = new Map<string, PendingLookup<Result>>()

  function start(key: string): Promise<Result> {
    const result = lookUp(key)
    const end = () => {
      if (lookup.next === undefined) pending.delete(key)
    }
    const lookup: PendingLookup<Result> = { done: result.then(end, end) }
    pending.set(key, lookup)
    return result
  }

  return (key) => {
    const lookup = pending.get(key)
    if (lookup !== undefined) return (lookup.next ??= lookup.done.then(() => start(key)))
    return pending.size < maxPending ? start(key) : undefined
  }
}
