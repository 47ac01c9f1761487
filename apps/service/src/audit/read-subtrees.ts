import {
  joinComplete,
  keptHeights,
  subtreesOf,
  tickLeaf,
  type Hash,
  type HashOf,
  type Span,
  type Subtree,
} from '@vidimus/evidence'
import type { Db } from '../platform/db/open.ts'
import { AuditBroken } from './broken.ts'
import { readNodes, readTicks } from './log-store.ts'
import { tickOf } from './tick-of.ts'

/**
 * Reads what is needed to hash some spans of the log: of each of their subtrees the kept nodes just below it, at most 128,
 * or the ticks themselves.
 */
export async function readSubtrees(db: Db, spans: readonly Span[]): Promise<HashOf> {
  const ranges = spans.flatMap(subtreesOf).map(rangeBelow)
  const ticks = await readTicks(
    db,
    ranges.filter(({ height }) => height === 0),
  )
  const nodes = await readNodes(
    db,
    ranges.filter(({ height }) => height > 0),
  )
  const hashes = new Map<string, Hash>([
    ...ticks.map((tick) => [`0 ${tick.index}`, tickLeaf(tickOf(tick))] as const),
    ...nodes.map(({ height, index, hash }) => [`${height} ${index}`, hash] as const),
  ])
  return (subtree) => {
    const { height, from, to } = rangeBelow(subtree)
    return joinComplete(
      Array.from({ length: to - from }, (_, place) => {
        const hash = hashes.get(`${height} ${from + place}`)
        if (hash === undefined)
          throw new AuditBroken(`the log lacks the node of height ${height} at ${from + place}`)
        return hash
      }),
    )
  }
}

function rangeBelow({ height, index }: Subtree) {
  const above = height % keptHeights
  return { height: height - above, from: index * 2 ** above, to: (index + 1) * 2 ** above }
}
