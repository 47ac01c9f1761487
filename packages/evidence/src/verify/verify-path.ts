import { sameBytes } from '../bytes.ts'
import { nodeHash } from '../hash.ts'
import type { Hash } from '../sha256.ts'

export type Inclusion = { index: number; size: number; leaf: Hash; path: readonly Hash[]; root: Hash }

/** Whether the path leads from the leaf at `index` to the root (RFC 9162 §2.1.3.2). */
export function verifyInclusion({ index, size, leaf, path, root }: Inclusion): boolean {
  if (index >= size) return false
  let [node, last, hash] = [index, size - 1, leaf]
  for (const sibling of path) {
    if (last === 0) return false
    if (node % 2 === 1 || node === last) {
      hash = nodeHash(sibling, hash)
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)]
    } else {
      hash = nodeHash(hash, sibling)
    }
    ;[node, last] = [half(node), half(last)]
  }
  return last === 0 && sameBytes(hash, root)
}

export type Consistency = {
  first: { size: number; root: Hash }
  second: { size: number; root: Hash }
  path: readonly Hash[]
}

/** Whether the second tree begins with all leaves of the first, in the same order (RFC 9162 §2.1.4.2). */
export function verifyConsistency({ first, second, path }: Consistency): boolean {
  if (first.size > second.size || first.size === 0) return false
  if (first.size === second.size) return path.length === 0 && sameBytes(first.root, second.root)
  const [start, ...rest] = isPowerOfTwo(first.size) ? [first.root, ...path] : path
  if (start === undefined) return false
  let [node, last] = [first.size - 1, second.size - 1]
  while (node % 2 === 1) [node, last] = [half(node), half(last)]

  let [older, newer] = [start, start]
  for (const sibling of rest) {
    if (last === 0) return false
    if (node % 2 === 1 || node === last) {
      older = nodeHash(sibling, older)
      newer = nodeHash(sibling, newer)
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)]
    } else {
      newer = nodeHash(newer, sibling)
    }
    ;[node, last] = [half(node), half(last)]
  }
  return last === 0 && sameBytes(older, first.root) && sameBytes(newer, second.root)
}

function half(value: number): number {
  return Math.floor(value / 2)
}

function isPowerOfTwo(value: number): boolean {
  let power = 1
  while (power < value) power *= 2
  return power === value
}
