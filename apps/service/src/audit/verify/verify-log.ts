import {
  type Frontier,
  type Hash,
  type StoredNode,
  appendLeaf,
  hashLogLeaf,
  joinPeaks,
  readSignedCheckpoint,
  sameBytes,
} from '@vidimus/evidence'
import type { Db } from '../../engine/db/index.ts'
import type { SavedCheckpoint } from '../log/checkpoint-folder.ts'
import { type LeafRow, readNodes, readLeaves } from '../log/log-store.ts'
import type { LogState } from '../log/open-log.ts'
import { rowToLeaf } from '../log/row-to-leaf.ts'

type VerifyLog = {
  /** Checkpoints saved outside the database, each with its file name. */
  saved: readonly SavedCheckpoint[]
  onProgress?: ((done: number, of: number) => void) | undefined
}

/**
 * Rebuilds the cell's log from its leaves, and reports where it differs from its signature, its stored nodes and the saved
 * checkpoints.
 */
export async function verifyLog(
  db: Db,
  { log, frontier: signed }: LogState,
  { saved, onProgress }: VerifyLog,
): Promise<string[]> {
  const checkpoints = await Promise.all(
    saved.map(async ({ file, note }) => ({
      file,
      checkpoint: await readSignedCheckpoint(note, log.keys),
    })),
  )
  const positions = log.keys.keys.flatMap(({ to }, index) =>
    to === undefined ? [] : [{ ...to, number: index + 1 }],
  )
  const sizes = new Set(
    [...checkpoints.map(({ checkpoint }) => checkpoint), ...positions].map((each) =>
      'size' in each ? each.size : 0,
    ),
  )
  const roots = new Map<number, Hash>([[0, joinPeaks([])]])
  const faults: string[] = []
  let frontier: Frontier = { size: 0, peaks: [] }
  for await (const leaves of readLeafPages(db, signed.size)) {
    const finished: StoredNode[] = []
    for (const leaf of leaves) {
      const { completed, ...next } = appendLeaf(frontier, hashLogLeaf(rowToLeaf(leaf)))
      frontier = next
      finished.push(...completed)
      if (sizes.has(frontier.size)) roots.set(frontier.size, joinPeaks(frontier.peaks))
    }
    faults.push(...(await compareNodes(db, finished)))
    onProgress?.(frontier.size, signed.size)
  }
  if (frontier.size !== signed.size || !sameBytes(joinPeaks(frontier.peaks), joinPeaks(signed.peaks)))
    faults.push('the leaves do not match the signed checkpoint')
  for (const { file, checkpoint } of checkpoints) {
    if ('fault' in checkpoint) faults.push(`${file} ${checkpoint.fault}`)
    else if (checkpoint.size > signed.size)
      faults.push(`the log is shorter than ${file}: it was truncated, or restored from a backup`)
    else if (!isSame(roots.get(checkpoint.size), checkpoint.root))
      faults.push(`the log does not continue ${file}`)
  }
  for (const { number, size, root } of positions) {
    if (!isSame(roots.get(size), root)) faults.push(`the log does not continue handover ${number}`)
  }
  return faults
}

async function compareNodes(db: Db, finished: readonly StoredNode[]): Promise<string[]> {
  const stored = await readNodes(
    db,
    finished.map(({ height, index }) => ({ height, from: index, to: index + 1 })),
  )
  const hashes = new Map(stored.map(({ height, index, hash }) => [`${height} ${index}`, hash]))
  return finished
    .filter(({ height, index, hash }) => !isSame(hashes.get(`${height} ${index}`), hash))
    .map(({ height, index }) => `the node of height ${height} at index ${index} was changed`)
}

function isSame(found: Hash | undefined, expected: Hash): boolean {
  return found !== undefined && sameBytes(found, expected)
}

/** Leaves read at a time. */
const pageSize = 1000

/** The first `size` leaves of the log in order, one page at a time. */
export async function* readLeafPages(db: Db, size: number): AsyncGenerator<LeafRow[]> {
  for (let from = 0; from < size; from += pageSize) {
    const leaves = await readLeaves(db, [{ from, to: from + pageSize }])
    yield leaves.toSorted((a, b) => a.index - b.index)
  }
}
