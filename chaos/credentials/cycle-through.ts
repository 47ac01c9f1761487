/** Gives the items one after another, again and again. */
export function cycleThrough<Item>(items: readonly Item[]): () => Item {
  let turn = 0
  return () => {
    const item = items[(turn += 1) % items.length]
    if (item === undefined) throw new Error('there is nothing to take turns')
    return item
  }
}
