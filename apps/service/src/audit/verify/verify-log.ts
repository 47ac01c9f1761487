import {
  appendLeaf,
  joinPeaks,
  readCheckpoint,
  sameBytes,
  hashTick,
  type Frontier,
  type Hash,
  type StoredNode,
} from '@vidimus/evidence'
import type { Db } from '../../platform/db/open.ts'
import type { LogState } from '../log/log-state.ts'
import { readNodes, readTicks } from '../log/log-store.ts'
import { rowToTick } from '../log/row-to-tick.ts'

/** Ticks that are read at a time. */
const page = 1000

export type VerifyLog = {
  /** Checkpoints that were kept outside, each with the name of its file. */
  saved: readonly { file: string; note: string }[]
  onProgress?: ((done: number, of: number) => void) | undefined
}

/**
 * Builds the cell's log anew from its ticks, and tells where it differs from its signature, its kept nodes and the
 * checkpoints that were saved outside.
 */
export async function verifyLog(
  db: Db,
  { log, frontier: signed }: LogState,
  { saved, onProgress }: VerifyLog,
): Promise<string[]> {
  const kept = await Promise.all(
    saved.map(async ({ file, note }) => ({
      file,
      checkpoint: await readCheckpoint(note, log.key.publicKey),
    })),
  )
  const sizes = new Set(kept.map(({ checkpoint }) => checkpoint?.size))
  const roots = new Map<number, Hash>()
  const faults: string[] = []
  let frontier: Frontier = { size: 0, peaks: [] }
  for (let from = 0; from < signed.size; from += page) {
    const ticks = await readTicks(db, [{ from, to: from + page }])
    const finished: StoredNode[] = []
    for (const tick of ticks.toSorted((a, b) => a.index - b.index)) {
      const { completed, ...next } = appendLeaf(frontier, hashTick(rowToTick(tick)))
      frontier = next
      finished.push(...completed)
      if (sizes.has(frontier.size)) roots.set(frontier.size, joinPeaks(frontier.peaks))
    }
    faults.push(...(await compareNodes(db, finished)))
    onProgress?.(frontier.size, signed.size)
  }
  if (frontier.size !== signed.size || !sameBytes(joinPeaks(frontier.peaks), joinPeaks(signed.peaks)))
    faults.push('the ticks are not those of the signed checkpoint')
  for (const { file, checkpoint } of kept) {
    if (checkpoint === undefined) faults.push(`${file} is not signed by the key of this log`)
    else if (checkpoint.size > signed.size)
      faults.push(`the log is shorter than ${file}: cut off, or restored`)
    else if (!isSame(roots.get(checkpoint.size), checkpoint.root))
      faults.push(`the log does not continue ${file}`)
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
    .map(({ height, index }) => `the node of height ${height} at ${index} was changed`)
}

function isSame(found: Hash | undefined, wanted: Hash): boolean {
  return found !== undefined && sameBytes(found, wanted)
}
