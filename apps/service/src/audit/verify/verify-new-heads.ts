import { serializeHead, sameBytes, buildTree } from '@vidimus/evidence'
import type { Db } from '../../platform/db/open.ts'
import { readNewHeads, readTicks, type TickRow } from '../log/log-store.ts'

/** Ticks that are read at a time, and the heads that are: a tick may have one, or one for each tenant. */
const page = 1000
const maxHeads = 20_000

/** Tells the ticks whose new heads are not those that were signed. */
export async function verifyNewHeads(db: Db, size: number): Promise<string[]> {
  const faults: string[] = []
  for (let from = 0; from < size; from += page) {
    const ticks = await readTicks(db, [{ from, to: from + page }])
    for (const group of groupByHeadCount(ticks.toSorted((a, b) => a.index - b.index)))
      faults.push(...(await compareHeads(db, group)))
  }
  return faults
}

async function compareHeads(db: Db, ticks: readonly TickRow[]): Promise<string[]> {
  const [first, last] = [ticks[0]?.index ?? 0, ticks.at(-1)?.index ?? 0]
  const limit = ticks.reduce((sum, { new_heads_count }) => sum + new_heads_count, 1)
  const heads = Map.groupBy(await readNewHeads(db, { from: first, to: last + 1, limit }), ({ tick }) => tick)
  return ticks
    .filter(({ index, new_heads_count, new_heads_root }) => {
      const moved = heads.get(index) ?? []
      const inPlace = moved.length === new_heads_count && moved.every(({ place }, at) => place === at)
      return !inPlace || !sameBytes(buildTree(moved.map(serializeHead)).root, new_heads_root)
    })
    .map(({ index }) => `tick ${index}: its new heads were changed`)
}

/** Neighbouring ticks with so many heads together that they can be read at once; at least one. */
function groupByHeadCount(ticks: readonly TickRow[]): TickRow[][] {
  const groups: TickRow[][] = []
  let heads = Number.POSITIVE_INFINITY
  for (const tick of ticks) {
    heads += tick.new_heads_count
    if (heads > maxHeads) {
      groups.push([])
      heads = tick.new_heads_count
    }
    groups.at(-1)?.push(tick)
  }
  return groups
}
