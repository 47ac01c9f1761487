import { leafHash, nodeHash } from '../hash.ts'
import { sha256, type Hash } from '../sha256.ts'

/** A range of leaves; `to` is exclusive. */
export type Span = { from: number; to: number }
/** A complete subtree: the `index`-th of those with 2^height leaves. */
export type Subtree = { height: number; index: number }
export type HashSubtree = (subtree: Subtree) => Hash

/** The root of a tree without leaves (RFC 6962 §2.1). */
export const emptyRoot = sha256('')

/**
 * The siblings on the path from a leaf to the root, starting at the leaf (RFC 6962 §2.1.1, PATH). They are returned as spans,
 * not hashes, so that the caller reads only these from storage.
 */
export function inclusionSpans(index: number, size: number): Span[] {
  const path: Span[] = []
  let span = { from: 0, to: size }
  while (span.to - span.from > 1) {
    const { left, right } = split(span)
    const isLeft = index < left.to
    path.unshift(isLeft ? right : left)
    span = isLeft ? left : right
  }
  return path
}

/** The spans that prove that a tree of `size` leaves begins with the tree of `first` leaves (RFC 6962 §2.1.2, SUBPROOF). */
export function consistencySpans(first: number, size: number): Span[] {
  const path: Span[] = []
  let span = { from: 0, to: size }
  // While only right halves are removed, the old tree is a subtree, and the verifier already has its root.
  let known = true
  while (first !== span.to) {
    const { left, right } = split(span)
    const isLeft = first <= left.to
    path.unshift(isLeft ? right : left)
    span = isLeft ? left : right
    if (!isLeft) known = false
  }
  return known ? path : [span, ...path]
}

/** The complete subtrees that make up a span, from left to right, each smaller than the one before. */
export function splitIntoSubtrees({ from, to }: Span): Subtree[] {
  const subtrees: Subtree[] = []
  let at = from
  while (at < to) {
    let height = 0
    while (at % 2 ** (height + 1) === 0 && at + 2 ** (height + 1) <= to) height += 1
    subtrees.push({ height, index: at / 2 ** height })
    at += 2 ** height
  }
  return subtrees
}

/** The hash of a span, joined from its subtrees from right to left, because the larger part is always on the left. */
export function hashSpan(span: Span, hashOf: HashSubtree): Hash {
  return joinPeaks(splitIntoSubtrees(span).map(hashOf))
}

export function joinPeaks(peaks: readonly Hash[]): Hash {
  return peaks.length === 0 ? emptyRoot : peaks.reduceRight((right, left) => nodeHash(left, right))
}

/** The hash of a complete subtree from those of a lower height, whose number must be a power of two. */
export function joinSubtrees(hashes: readonly Hash[]): Hash {
  let row = hashes
  while (row.length > 1) {
    row = Array.from({ length: row.length / 2 }, (_, pair) => nodeAt(row, pair))
  }
  return row[0] ?? emptyRoot
}

/** Builds a small tree in memory from the contents of its leaves. */
export function buildTree(contents: readonly string[]) {
  const leaves = contents.map(leafHash)
  const hashOf: HashSubtree = ({ height, index }) =>
    joinSubtrees(leaves.slice(index * 2 ** height, (index + 1) * 2 ** height))
  return {
    root: hashSpan({ from: 0, to: leaves.length }, hashOf),
    pathOf: (index: number) => inclusionSpans(index, leaves.length).map((span) => hashSpan(span, hashOf)),
  }
}

function split({ from, to }: Span): { left: Span; right: Span } {
  let width = 1
  while (width * 2 < to - from) width *= 2
  return { left: { from, to: from + width }, right: { from: from + width, to } }
}

function nodeAt(row: readonly Hash[], pair: number): Hash {
  const [left, right] = [row[pair * 2], row[pair * 2 + 1]]
  if (left === undefined || right === undefined) throw new RangeError('The subtree is not complete.')
  return nodeHash(left, right)
}
