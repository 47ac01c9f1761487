/** How many turns of the event loop begin until a promise settles: none of them waits for all of its work. */
export async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let ended = false
  const turn = () => {
    turns += 1
    if (!ended) setImmediate(turn)
  }
  setImmediate(turn)
  await work().finally(() => (ended = true))
  return turns
}
