import { leafHash, nodeHash } from '../hash.ts'
import { sha256, type Hash } from '../sha256.ts'

/** The leaves from one up to, and not including, another. */
export type Span = { from: number; to: number }
/** A subtree without gaps: the `index`-th of those with 2^height leaves. */
export type Subtree = { height: number; index: number }
export type HashSubtree = (subtree: Subtree) => Hash

/** The root of a tree without leaves (RFC 6962 §2.1). */
export const emptyRoot = sha256('')

/**
 * The siblings that lead from a leaf to the root of a tree, the leaf's own first (RFC 6962 §2.1.1, PATH). They are named, not
 * hashed, so that whoever keeps the tree fetches only these.
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

/** What shows that a tree of `size` leaves begins with the tree of `first` leaves (RFC 6962 §2.1.2, SUBPROOF). */
export function consistencySpans(first: number, size: number): Span[] {
  const path: Span[] = []
  let span = { from: 0, to: size }
  // As long as only right halves were cut away, the old tree is a subtree, and whoever checks has its root already.
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

/** The hash of a span, joined from its subtrees: the last two first, because the larger part is always on the left. */
export function hashSpan(span: Span, hashOf: HashSubtree): Hash {
  return joinPeaks(splitIntoSubtrees(span).map(hashOf))
}

export function joinPeaks(peaks: readonly Hash[]): Hash {
  return peaks.length === 0 ? emptyRoot : peaks.reduceRight((right, left) => nodeHash(left, right))
}

/** The hash of a complete subtree, from those of a lower height, of which there must be a power of two. */
export function joinSubtrees(hashes: readonly Hash[]): Hash {
  let row = hashes
  while (row.length > 1) {
    row = Array.from({ length: row.length / 2 }, (_, pair) => nodeAt(row, pair))
  }
  return row[0] ?? emptyRoot
}

/** A tree that is small enough to be held whole, by its leaves' contents. */
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
  if (left === undefined || right === undefined) throw new RangeError('not a complete subtree')
  return nodeHash(left, right)
}
