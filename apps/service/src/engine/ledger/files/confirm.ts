import type { Db } from '../../db/open.ts'
import { doubt_ms } from '../ledger.ts'
import { isWithin, listUnsettled, retention_days, type LedgerFiles } from './compare.ts'
import { readTail, type Tail, type TailEntry } from './read-tail.ts'
import { deleteLedger, moveConfirmed, noteSize, readMarks, type LedgerMarks } from './store.ts'

/** How long notes are kept after the last one of their file. */
export const noteRetention_days = 7

const unknownFile: LedgerMarks = { confirmed: 0, confirmed_bytes: 0, positions: new Set() }

/** Moves the confirmed position of every file up and deletes the marks below it, then removes files whose retention is over. */
export async function confirmLedger(files: LedgerFiles, db: Db): Promise<void> {
  for (const { name, from } of await listUnsettled(files, await readMarks(db))) {
    const tail = await readTail(files.storage, name, from)
    const { now, of } = await readMarks(db)
    const confirmed = findConfirmed(tail, of.get(name) ?? unknownFile, now)
    if (confirmed !== undefined) await moveConfirmed(db, { ledger: name, ...confirmed })
  }
  await removeOldFiles(files, db)
}

type Confirmed = { confirmed: number; confirmed_bytes: number; required: number[]; last_at: string }

/**
 * Up to where a file is confirmed: every entry below has a mark or was rolled back, and nothing more is written there. Undefined if
 * nothing changed since the last time.
 */
function findConfirmed(
  { entries, floor, end_bytes }: Tail,
  { confirmed: before, confirmed_bytes, last_at: lastBefore, positions }: LedgerMarks,
  now: string,
): Confirmed | undefined {
  let confirmed = before
  let last_at = lastBefore ?? now
  const required: number[] = []
  let open: TailEntry[] = []
  const inOrder = [...entries.values()]
    .filter(({ position }) => position >= before)
    .toSorted((a, b) => a.position - b.position)
  for (const [index, entry] of inOrder.entries()) {
    const isOld = Date.parse(now) - Date.parse(entry.at) > doubt_ms
    // A position that is missing may still be written, unless the file says otherwise or it had time enough.
    const isComplete = entry.position === confirmed || entry.position <= floor || isOld
    const isMarked = positions.has(entry.position)
    if (!isComplete || (!isMarked && entry.outcome !== 'rolled_back')) {
      open = inOrder.slice(index)
      break
    }
    if (isMarked) required.push(entry.position)
    confirmed = entry.position + 1
    if (entry.at > last_at || lastBefore === undefined) last_at = entry.at
  }
  const bytes = Math.min(end_bytes, ...open.map(({ offset }) => offset))
  return bytes <= confirmed_bytes ? undefined : { confirmed, confirmed_bytes: bytes, required, last_at }
}

async function removeOldFiles({ storage }: LedgerFiles, db: Db): Promise<void> {
  const { now, of } = await readMarks(db)
  const files = await storage.list()
  for (const { name, bytes } of files) {
    const known = of.get(name)
    if (name.endsWith('.notes') && known?.confirmed_bytes !== bytes)
      await noteSize(db, { ledger: name, bytes })
    else if (known?.last_at !== undefined && known.confirmed_bytes === bytes) {
      const days = name.endsWith('.notes') ? noteRetention_days : retention_days
      if (!isWithin(days, known.last_at, now)) await storage.remove(name)
    }
  }
  const present = new Set(files.map(({ name }) => name))
  for (const [name, { last_at }] of of) {
    // A file that is missing too early is missed: see listUnsettled.
    if (!present.has(name) && last_at !== undefined && !isWithin(retention_days, last_at, now))
      await deleteLedger(db, name)
  }
}
