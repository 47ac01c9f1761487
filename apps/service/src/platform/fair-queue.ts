export type FairQueue<Item> = {
  push(owner: string, item: Item): void
  /** The next item of the owner whose turn it is. */
  shift(): Item | undefined
  size(): number
}

/** A queue for each owner, served round-robin: an owner with a thousand items delays another by one item, not by a thousand. */
export function openFairQueue<Item>(): FairQueue<Item> {
  // A map iterates in the order of insertion: the first owner is the one whose turn it is.
  const queues = new Map<string, Item[]>()
  let size = 0
  return {
    push(owner, item) {
      const queue = queues.get(owner)
      if (queue === undefined) queues.set(owner, [item])
      else queue.push(item)
      size += 1
    },
    shift() {
      for (const [owner, queue] of queues) {
        const item = queue.shift()
        queues.delete(owner)
        if (queue.length > 0) queues.set(owner, queue)
        if (item === undefined) continue
        size -= 1
        return item
      }
      return undefined
    },
    size: () => size,
  }
}
