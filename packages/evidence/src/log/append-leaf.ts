import { nodeHash } from '../hash.ts'
import type { Hash } from '../sha256.ts'
import type { Subtree } from './tree.ts'

/** The state needed to append to a log: the roots of its complete subtrees, largest first. */
export type Frontier = { size: number; peaks: readonly Hash[] }

/** Inner nodes are stored only at every eighth height; the others are recomputed from at most 255 of them. */
export const storedHeightInterval = 8

export type StoredNode = Subtree & { hash: Hash }

/** Appends one leaf. `completed` are the nodes to store that this leaf completes; they never change again. */
export function appendLeaf({ size, peaks }: Frontier, leaf: Hash): Frontier & { completed: StoredNode[] } {
  const left = [...peaks]
  const completed: StoredNode[] = []
  let hash = leaf
  for (let height = 0; Math.floor(size / 2 ** height) % 2 === 1; height += 1) {
    const sibling = left.pop()
    if (sibling === undefined) throw new RangeError('The frontier does not match its size.')
    hash = nodeHash(sibling, hash)
    if ((height + 1) % storedHeightInterval === 0) {
      completed.push({ height: height + 1, index: Math.floor(size / 2 ** (height + 1)), hash })
    }
  }
  return { size: size + 1, peaks: [...left, hash], completed }
}
