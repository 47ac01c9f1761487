import {
  joinSubtrees,
  storedHeightInterval,
  splitIntoSubtrees,
  hashLogLeaf,
  type Hash,
  type HashSubtree,
  type Span,
  type Subtree,
} from '@vidimus/evidence'
import type { Db } from '../../engine/db/index.ts'
import { AuditTamperedError } from '../append.ts'
import { readNodes, readLeaves } from './log-store.ts'
import { rowToLeaf } from './row-to-leaf.ts'

/**
 * Reads what is needed to hash the given spans of the log: for each of their subtrees the stored nodes just below it, at most
 * 128, or the leaves themselves.
 */
export async function readSubtrees(db: Db, spans: readonly Span[]): Promise<HashSubtree> {
  const ranges = spans.flatMap(splitIntoSubtrees).map(rangeBelow)
  const leaves = await readLeaves(
    db,
    ranges.filter(({ height }) => height === 0),
  )
  const nodes = await readNodes(
    db,
    ranges.filter(({ height }) => height > 0),
  )
  const hashes = new Map<string, Hash>([
    ...leaves.map((leaf) => [`0 ${leaf.index}`, hashLogLeaf(rowToLeaf(leaf))] as const),
    ...nodes.map(({ height, index, hash }) => [`${height} ${index}`, hash] as const),
  ])
  return (subtree) => {
    const { height, from, to } = rangeBelow(subtree)
    return joinSubtrees(
      Array.from({ length: to - from }, (_, offset) => {
        const hash = hashes.get(`${height} ${from + offset}`)
        if (hash === undefined)
          throw new AuditTamperedError(`the node of height ${height} at index ${from + offset} is missing`)
        return hash
      }),
    )
  }
}

function rangeBelow({ height, index }: Subtree) {
  const levels = height % storedHeightInterval
  return { height: height - levels, from: index * 2 ** levels, to: (index + 1) * 2 ** levels }
}
