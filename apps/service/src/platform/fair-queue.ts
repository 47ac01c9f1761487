export type FairQueue<Item> = {
  push(owner: string, item: Item): void
  /** Removes the next item of the owner whose turn it is, among the owners whose next item can be served. */
  shift(canServe?: (owner: string, next: Item) => boolean): Item | undefined
  /** Whether any owner that can be served has a waiting item. */
  has(canServe: (owner: string) => boolean): boolean
  /** The number of waiting items. */
  size(): number
  /** The number of owners that have waiting items. */
  owners(): number
}

/** One queue per owner, served round-robin: an owner with a thousand items delays another owner by one item, not by a thousand. */
export function openFairQueue<Item>(): FairQueue<Item> {
  // A Map iterates in insertion order, so the first owner is next.
  const queues = new Map<string, Item[]>()
  let size = 0
  return {
    push(owner, item) {
      const queue = queues.get(owner)
      if (queue === undefined) queues.set(owner, [item])
      else queue.push(item)
      size += 1
    },
    shift(canServe = () => true) {
      for (const [owner, queue] of queues) {
        const [item] = queue
        if (item === undefined || !canServe(owner, item)) continue
        queue.shift()
        size -= 1
        queues.delete(owner)
        if (queue.length > 0) queues.set(owner, queue)
        return item
      }
      return undefined
    },
    has: (canServe) => queues.keys().some(canServe),
    size: () => size,
    owners: () => queues.size,
  }
}
