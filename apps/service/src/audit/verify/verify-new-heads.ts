import { serializeHead, sameBytes, buildTree } from '@vidimus/evidence'
import type { Db } from '../../engine/db/index.ts'
import { readNewHeads, type TickRow } from '../log/log-store.ts'
import { readTickPages } from './read-tick-pages.ts'

/** Heads read at a time: a tick has between one head and one per tenant. */
const maxHeads = 20_000

/** Reports the ticks whose new heads differ from those that were signed. */
export async function verifyNewHeads(db: Db, size: number): Promise<string[]> {
  const faults: string[] = []
  for await (const ticks of readTickPages(db, size)) {
    for (const group of groupByHeadCount(ticks)) faults.push(...(await compareHeads(db, group)))
  }
  return faults
}

async function compareHeads(db: Db, ticks: readonly TickRow[]): Promise<string[]> {
  const [first, last] = [ticks[0]?.index ?? 0, ticks.at(-1)?.index ?? 0]
  const limit = ticks.reduce((sum, { new_heads_count }) => sum + new_heads_count, 1)
  const heads = Map.groupBy(await readNewHeads(db, { from: first, to: last + 1, limit }), ({ tick }) => tick)
  return ticks
    .filter(({ index, new_heads_count, new_heads_root }) => {
      const newHeads = heads.get(index) ?? []
      const inPlace = newHeads.length === new_heads_count && newHeads.every(({ place }, at) => place === at)
      return !inPlace || !sameBytes(buildTree(newHeads.map(serializeHead)).root, new_heads_root)
    })
    .map(({ index }) => `tick ${index}: its new heads were changed`)
}

/** Groups adjacent ticks so that the heads of a group can be read at once. A group has at least one tick. */
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
