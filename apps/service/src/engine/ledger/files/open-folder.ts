import { randomBytes } from 'node:crypto'
import { Refusal } from '../../basics/refusal.ts'
import { onTransactionEnd } from '../../db/open.ts'
import type { Keyring } from '../../keyring/open.ts'
import type { Log } from '../../observability/log.ts'
import type { Metrics } from '../../observability/metrics.ts'
import { type LedgerFiles, compareWithMarks } from './compare.ts'
import { LedgerUnusableError } from '../errors.ts'
import { type LedgerStorage, openFolder } from './folder-storage.ts'
import { guardDatabase } from './guard.ts'
import { type Ledger, hashLedgerId } from '../ledger.ts'
import { type EntryFile, openEntryFile } from './lines.ts'
import { openNotes, readNotes } from './notes.ts'
import { confirmLedger } from './confirm.ts'
import { insertMarks } from './store.ts'
import { maxFile_bytes } from './writer.ts'

/** How long an operation of the storage may take. */
export const storageTimeout_ms = 3000

type LedgerOptions = {
  folder: string
  keyring: Pick<Keyring, 'mac'>
  log: Log
  metrics: Metrics
}

/** Opens the ledger in a folder that exists. Files are created on first use. */
export function openLedgerFolder({ folder, keyring, log, metrics }: LedgerOptions): Ledger {
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

  const ledger: Ledger = {
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
    confirm: (db) => confirmLedger(files, db),
    readNotes: () => readNotes(files),
    guard: (db) => guardDatabase({ db, ledger, log, metrics }),
    async close() {
      await Promise.all([current?.retire(), notes.close()]).catch(onFailure)
    },
  }
  return ledger
}

/** The files of a folder. The names of this database's own begin with a fingerprint of its ring. */
function openLedgerFiles(folder: string, keyring: Pick<Keyring, 'mac'>): LedgerFiles {
  const ring = keyring.mac('erasure ledger', 'ring').toString('hex').slice(0, 12)
  return { storage: limitTime(openFolder(folder)), ring }
}

/**
 * The limit counts in turns of the event loop: while this process itself is blocked, it cannot see that the storage has responded, and
 * however long that takes, it counts as one turn.
 */
const turnsUntilLate = 20

/**
 * A storage whose operations fail if they take too long, and whose reads fail with LedgerUnusableError. A file system that hangs cannot be interrupted and holds a thread for
 * each operation, so while one hangs all others fail at once.
 */
export function limitTime(storage: LedgerStorage, timeout_ms = storageTimeout_ms): LedgerStorage {
  let hanging = 0

  async function limit<Result>(start: () => Promise<Result>): Promise<Result> {
    const message = `the storage of the erasure ledger did not respond within ${timeout_ms} ms`
    if (hanging > 0) throw new Error(message)
    const late = Promise.withResolvers<never>()
    let isLate = false
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
      if (turns < turnsUntilLate) return
      clearInterval(timer)
      isLate = true
      hanging += 1
      late.reject(new Error(message))
    }, timeout_ms / turnsUntilLate)
    const operation = start().finally(() => {
      clearInterval(timer)
      if (isLate) hanging -= 1
    })
    return Promise.race([operation, late.promise])
  }

  async function reading<Result>(start: () => Promise<Result>): Promise<Result> {
    try {
      return await limit(start)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new LedgerUnusableError(`The folder of ERASURE_LEDGER cannot be read: ${reason}.`, {
        cause: error,
      })
    }
  }

  return {
    list: () => reading(() => storage.list()),
    read: (name, from) => reading(() => storage.read(name, from)),
    remove: (name) => limit(() => storage.remove(name)),
    async create(name, first) {
      const appender = await limit(() => storage.create(name, first))
      return {
        append: (text, how) => limit(() => appender.append(text, how)),
        close: () => limit(() => appender.close()),
      }
    },
  }
}
