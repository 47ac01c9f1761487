/** Returns a function that yields the items in turn, without end. */
export function cycleThrough<Item>(items: readonly Item[]): () => Item {
  let turn = 0
  return () => {
    const item = items[(turn += 1) % items.length]
    if (item === undefined) throw new Error('cannot cycle through an empty list')
    return item
  }
}
