/** Asks, or says `undefined` when so many different questions are open that one more would be too many. */
export type DedupedLookup<Result> = (key: string) => Promise<Result> | undefined

type PendingLookup<Result> = { done: Promise<void>; next?: Promise<Result> }

/**
 * Lets equal questions that arrive together share one answer. A question never joins one that was already put: it shares
 * the next, so that every answer is younger than its question and nothing has to be remembered.
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
