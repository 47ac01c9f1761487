export type FairQueue<Item> = {
  push(owner: string, item: Item): void
  /** The next item of the owner whose turn it is, among those that may be served. */
  shift(canServe?: (owner: string) => boolean): Item | undefined
  /** Whether anything waits for an owner that may be served. */
  has(canServe: (owner: string) => boolean): boolean
}

/** A queue for each owner, served round-robin: an owner with a thousand items delays another by one item, not by a thousand. */
export function openFairQueue<Item>(): FairQueue<Item> {
  // A map iterates in the order of insertion: the first owner is the one whose turn it is.
  const queues = new Map<string, Item[]>()
  return {
    push(owner, item) {
      const queue = queues.get(owner)
      if (queue === undefined) queues.set(owner, [item])
      else queue.push(item)
    },
    shift(canServe = () => true) {
      for (const [owner, queue] of queues) {
        if (!canServe(owner)) continue
        const item = queue.shift()
        queues.delete(owner)
        if (queue.length > 0) queues.set(owner, queue)
        return item
      }
      return undefined
    },
    has: (canServe) => queues.keys().some(canServe),
  }
}
