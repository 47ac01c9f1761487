import { expect, test } from 'vitest'
import { toHex } from '../bytes.ts'
import { appendLeaf, type Frontier } from './append-leaf.ts'
import { leafHash } from '../hash.ts'
import type { Hash } from '../sha256.ts'
import {
  consistencySpans,
  emptyRoot,
  hashSpan,
  inclusionSpans,
  joinSubtrees,
  joinPeaks,
  type HashSubtree,
} from './tree.ts'
import { verifyConsistency, verifyInclusion } from '../verify/verify-path.ts'

const sizes = 70

/** The reference leaves and roots of Certificate Transparency implementations. */
const knownLeaves = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
]
const knownRoots = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

const leaves = Array.from({ length: sizes }, (_, index) => leafHash(`leaf ${index}`))
const hashOf: HashSubtree = ({ height, index }) =>
  joinSubtrees(leaves.slice(index * 2 ** height, (index + 1) * 2 ** height))
const rootAt = (size: number) => hashSpan({ from: 0, to: size }, hashOf)
const roots = Array.from({ length: sizes + 1 }, (_, size) => rootAt(size))
const root = (size: number): Hash => roots[size] ?? emptyRoot

test('leaves appended one by one give the roots of RFC 6962', () => {
  let frontier: Frontier = { size: 0, peaks: [] }
  const found = knownLeaves.map((leaf) => {
    frontier = appendLeaf(frontier, leafHash(Buffer.from(leaf, 'hex')))
    return toHex(joinPeaks(frontier.peaks))
  })

  expect(found).toEqual(knownRoots)
  expect(toHex(root(0))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
})

test('an appended log has the root of the whole tree, and stores the completed nodes of every eighth height', () => {
  const many = Array.from({ length: 1030 }, (_, index) => leafHash(`leaf ${index}`))
  let frontier: Frontier = { size: 0, peaks: [] }
  const stored = many.flatMap((leaf) => {
    const { completed, ...next } = appendLeaf(frontier, leaf)
    frontier = next
    return completed
  })

  expect(joinPeaks(frontier.peaks)).toEqual(
    hashSpan({ from: 0, to: many.length }, ({ height, index }) =>
      joinSubtrees(many.slice(index * 2 ** height, (index + 1) * 2 ** height)),
    ),
  )
  expect(stored.map(({ height, index }) => ({ height, index }))).toEqual(
    [0, 1, 2, 3].map((index) => ({ height: 8, index })),
  )
  expect(stored[3]?.hash).toEqual(joinSubtrees(many.slice(768, 1024)))
})

test(`every leaf of every tree up to ${sizes} leaves is proven at its own index only`, () => {
  let refused = 0
  for (let size = 1; size <= sizes; size += 1) {
    for (let index = 0; index < size; index += 1) {
      const path = inclusionSpans(index, size).map((span) => hashSpan(span, hashOf))
      const leaf = leaves[index] ?? emptyRoot
      expect(verifyInclusion({ index, size, leaf, path, root: root(size) })).toBe(true)
      const wrong = [
        { index: (index + 1) % size, size: size === 1 ? 2 : size },
        { index, size, leaf: leafHash('another') },
        { index, size, path: [...path, leaf] },
        { index, size, path: path.slice(1), root: size === 1 ? emptyRoot : root(size) },
        { index, size, root: root(size - 1) },
        { index: size, size },
      ]
      for (const change of wrong) {
        expect(verifyInclusion({ leaf, path, root: root(size), ...change })).toBe(false)
        refused += 1
      }
    }
  }
  expect(refused).toBe(6 * ((sizes * (sizes + 1)) / 2))
})

test(`for every two trees up to ${sizes} leaves, the larger is proven to begin with the smaller`, () => {
  for (let size = 1; size <= sizes; size += 1) {
    for (let first = 1; first <= size; first += 1) {
      const path = consistencySpans(first, size).map((span) => hashSpan(span, hashOf))
      const older = { size: first, root: root(first) }
      const newer = { size, root: root(size) }
      expect(verifyConsistency({ first: older, second: newer, path })).toBe(true)
      for (const change of [
        { first: { size: first, root: leafHash('another') } },
        { second: { size, root: leafHash('another') } },
        { first: newer, second: older, ...(first === size && { path: [leafHash('too much')] }) },
        { path: [...path, leafHash('too much')] },
        ...(path.length > 0 ? [{ path: path.slice(1) }, { path: path.slice(0, -1) }] : []),
      ]) {
        expect(verifyConsistency({ first: older, second: newer, path, ...change })).toBe(false)
      }
    }
  }
  expect(
    verifyConsistency({ first: { size: 0, root: emptyRoot }, second: { size: 1, root: root(1) }, path: [] }),
  ).toBe(false)
})
