import { randomBytes } from 'node:crypto'
import type { Keyring } from '../keyring/open.ts'
import type { Log } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import { Refusal } from '../basics/refusal.ts'
import { compareWithMarks, type LedgerFiles } from './compare.ts'
import { openEntryFile, type EntryFile } from './entry-file.ts'
import { limitTime } from './limit-time.ts'
import { openFolder } from './folder-storage.ts'
import { hashLedgerId, type Ledger } from './ledger.ts'
import { maxFile_bytes } from './limits.ts'
import { openNotes, readNotes } from './notes.ts'
import { settleLedger } from './settle.ts'
import { onTransactionEnd } from '../db/transaction-end.ts'
import { insertMarks } from './store.ts'

export type LedgerOptions = {
  folder: string
  keyring: Pick<Keyring, 'mac'>
  log: Log
  metrics: Pick<Metrics, 'ledgerEntries' | 'ledgerSyncs' | 'ledgerFailures'>
}

/** Opens the ledger in a folder that exists. Files are created on first use. */
export function openLedger({ folder, keyring, log, metrics }: LedgerOptions): Ledger {
  const files = openLedgerFiles(folder, keyring)
  const { storage, ring } = files
  const newName = () => `${ring}-${randomBytes(12).toString('hex')}`
  let current: EntryFile | undefined
  let opening: Promise<EntryFile> | undefined
  const notes = openNotes({ storage, newName, onFailure })

  function onFailure(error: unknown): void {
    metrics.ledgerFailures.inc()
    log.error({ err: error }, 'could not write to the erasure ledger')
  }

  /** The file to write to: a new one if there is none yet, the last one is full, or a write to it failed. */
  async function useFile(): Promise<EntryFile> {
    if (current !== undefined && !current.failed() && current.bytes() < maxFile_bytes) return current
    return (opening ??= replaceFile().finally(() => (opening = undefined)))
  }

  async function replaceFile(): Promise<EntryFile> {
    const opened = await openEntryFile({
      storage,
      name: `${newName()}.ledger`,
      onWrite: ({ durable }) => void (durable && metrics.ledgerSyncs.inc()),
    })
    current?.retire().catch(onFailure)
    current = opened
    return opened
  }

  async function orRefuse<Result>(write: Promise<Result>): Promise<Result> {
    try {
      return await write
    } catch (error) {
      onFailure(error)
      throw new Refusal(
        'overloaded',
        'The erasure ledger cannot be written, so nothing was erased or revoked. Try again in a moment.',
        5,
      )
    }
  }

  return {
    isConfigured: true,
    async record(tx, entries) {
      if (entries.length === 0) return
      const file = await orRefuse(useFile())
      const positions = file.reserve(entries.length)
      onTransactionEnd(tx, (outcome) => file.end(positions, outcome).catch(onFailure))
      const marks = positions.map((position) => ({ ledger: file.name, position }))
      const at = await insertMarks(tx, marks)
      const lines = entries.map(({ kind, day, id }, index) => ({
        position: positions[index] ?? 0,
        kind,
        ...(day !== undefined && { day }),
        hash: hashLedgerId(keyring, kind, id),
        at,
      }))
      await orRefuse(file.append(lines))
      metrics.ledgerEntries.inc(entries.length)
    },
    note(given) {
      notes.write(given.map(({ id, ...note }) => ({ ...note, hash: hashLedgerId(keyring, note.kind, id) })))
    },
    readPending: (db) => compareWithMarks(files, db),
    async markApplied(tx, entries) {
      if (entries.length > 0) await insertMarks(tx, entries)
    },
    settle: (db) => settleLedger(files, db),
    readNotes: () => readNotes(files),
    async close() {
      await Promise.all([current?.retire(), notes.close()]).catch(onFailure)
    },
  }
}

/** The files of a folder. The names of this database's own begin with a fingerprint of its ring. */
export function openLedgerFiles(folder: string, keyring: Pick<Keyring, 'mac'>): LedgerFiles {
  const ring = keyring.mac('erasure ledger', 'ring').toString('hex').slice(0, 12)
  return { storage: limitTime(openFolder(folder)), ring }
}
