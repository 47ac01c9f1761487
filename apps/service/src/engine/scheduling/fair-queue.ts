export type FairQueue<Item> = {
  push(owner: string, item: Item): void
  /**
   * Removes the next item of the next owner in turn. Items for which `canServe` is false, for example because of a lock, are skipped;
   * of each owner only the first few are tried.
   */
  shift(canServe?: (owner: string, next: Item) => boolean): Item | undefined
  /** Whether any owner that can be served has a waiting item. */
  has(canServe: (owner: string) => boolean): boolean
  size(): number
  sizeOf(owner: string): number
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
        const position = findFirst(queue, (item) => canServe(owner, item))
        if (position < 0) continue
        const [item] = position === 0 ? [queue.shift()] : queue.splice(position, 1)
        size -= 1
        queues.delete(owner)
        if (queue.length > 0) queues.set(owner, queue)
        return item
      }
      return undefined
    },
    has: (canServe) => queues.keys().some(canServe),
    size: () => size,
    sizeOf: (owner) => queues.get(owner)?.length ?? 0,
    owners: () => queues.size,
  }
}

const lookAhead = 16

function findFirst<Item>(queue: Item[], canServe: (item: Item) => boolean): number {
  const end = Math.min(queue.length, lookAhead)
  for (let position = 0; position < end; position += 1) if (canServe(queue[position] as Item)) return position // below the length
  return -1
}
