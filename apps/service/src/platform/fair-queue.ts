export type FairQueue<Item> = {
  push(owner: string, item: Item): void
  /** Removes the next item of the owner whose turn it is, among the owners that can be served. */
  shift(canServe?: (owner: string) => boolean): Item | undefined
  /** Whether any owner that can be served has a waiting item. */
  has(canServe: (owner: string) => boolean): boolean
}

/** One queue per owner, served round-robin: an owner with a thousand items delays another owner by one item, not by a thousand. */
export function openFairQueue<Item>(): FairQueue<Item> {
  // A Map iterates in insertion order, so the first owner is next.
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
