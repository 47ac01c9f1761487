import type { Db } from '../../db/open.ts'
import { LedgerUnusableError } from '../errors.ts'
import type { PendingEntries } from '../ledger.ts'
import { readTail, type Tail } from './read-tail.ts'
import type { LedgerStorage, StoredFile } from './folder-storage.ts'
import { readMarks, type AllMarks } from './store.ts'
import { maxFile_bytes } from './writer.ts'

/** `ring` begins the name of every file of this database. */
export type LedgerFiles = { storage: LedgerStorage; ring: string }

/** How long entries are kept. A backup that is older must not be restored. */
export const retention_days = 400
/** How many entries are read at a time. */
export const pendingBatch = 10_000
const day_ms = 86_400_000
/** How much is read before it is compared, so that memory is bounded. */
const chunk_bytes = 2 * maxFile_bytes

/**
 * Finds the entries that the database of this connection does not have. The files are read before the marks, so that a transaction
 * that commits meanwhile is never taken for a loss.
 */
export async function compareWithMarks(files: LedgerFiles, db: Db): Promise<PendingEntries> {
  const known = await readMarks(db)
  const unread = await listUnsettled(files, known)
  const pending: PendingEntries = { now: known.now, lost: [], in_doubt: [], more: false }
  while (unread.length > 0) {
    const tails: [string, Tail][] = []
    for (let bytes = 0; bytes < chunk_bytes;) {
      const file = unread.shift()
      if (file === undefined) break
      tails.push([file.name, await readTail(files.storage, file.name, file.from)])
      bytes += file.bytes - file.from
    }
    const marks = await readMarks(db)
    for (const [ledger, tail] of tails) addPending(pending, tail, marks.of.get(ledger))
    pending.now = marks.now
    if (Math.max(pending.lost.length, pending.in_doubt.length) > pendingBatch) {
      pending.more = true
      pending.lost.length = Math.min(pending.lost.length, pendingBatch)
      pending.in_doubt.length = Math.min(pending.in_doubt.length, pendingBatch)
      return pending
    }
  }
  return pending
}

/** The files with entries that are not confirmed, and the place from which each has to be read. */
export async function listUnsettled(
  { storage, ring }: LedgerFiles,
  { now, of }: AllMarks,
): Promise<(StoredFile & { from: number })[]> {
  const files = (await storage.list()).filter(({ name }) => name.endsWith('.ledger'))
  const foreign = files.find(({ name }) => !name.startsWith(ring))
  if (foreign !== undefined)
    throw new LedgerUnusableError(
      `${foreign.name} in ERASURE_LEDGER belongs to another database. Every database needs a folder of its own.`,
    )
  const present = new Set(files.map(({ name }) => name))
  for (const [ledger, { last_at }] of of) {
    const isKept = last_at !== undefined && isWithin(retention_days, last_at, now)
    if (isKept && ledger.endsWith('.ledger') && !present.has(ledger))
      throw new LedgerUnusableError(
        `${ledger} is missing in ERASURE_LEDGER, although the database knows it. Is the folder mounted?`,
      )
  }
  return files
    .map((file) => ({ ...file, from: of.get(file.name)?.confirmed_bytes ?? 0 }))
    .filter(({ bytes, from }) => bytes > from)
}

export function isWithin(days: number, at: string, now: string): boolean {
  return Date.parse(now) - Date.parse(at) <= days * day_ms
}

function addPending(
  { lost, in_doubt }: PendingEntries,
  { entries }: Tail,
  { confirmed, positions }: { confirmed: number; positions: ReadonlySet<number> } = {
    confirmed: 0,
    positions: new Set(),
  },
): void {
  for (const { offset: _, outcome, ...entry } of entries.values()) {
    if (outcome === 'rolled_back' || entry.position < confirmed || positions.has(entry.position)) continue
    if (outcome === 'committed') lost.push(entry)
    else in_doubt.push(entry)
  }
}
