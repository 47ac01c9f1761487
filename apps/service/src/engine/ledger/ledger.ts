import type { Database, Db } from '../db/open.ts'
import { declaredTables, type LedgerKind } from '../db/schema/tables.ts'
import type { Keyring } from '../keyring/open.ts'
import type { RestorePendingError } from './errors.ts'

const ledgerKinds = new Set(declaredTables.flatMap(({ endings = [] }) => endings))

/** False for a kind that a later version wrote. */
export function isLedgerKind(kind: string): kind is LedgerKind {
  return ledgerKinds.has(kind)
}

/** `day` is the partition in which the row is found, if its table has partitions. The id is stored only as a keyed hash. */
export type LedgerEntry = { kind: LedgerKind; day?: string; id: string }

export type NoteKind = 'delivered' | 'refreshed'

/** `delivered`: a webhook event of a verification of this day. `refreshed`: a device, with the generation of its newest token. */
export type LedgerNote = { kind: NoteKind; day?: string; id: string; generation?: number }

/** An entry as it is read from the ledger. `at` is the database's time when it was written. */
export type StoredEntry = {
  ledger: string
  position: number
  /** A `LedgerKind`, or one that a later version wrote. */
  kind: string
  day?: string
  hash: Buffer
  at: string
}

/** A note as it is read. `kind` is a `NoteKind`, or one that a later version wrote. */
export type StoredNote = { kind: string; day?: string; hash: Buffer; generation?: number }

/** An entry without an outcome is in doubt after this time: no transaction takes as long. */
export const doubt_ms = 60_000

/** Entries that the database does not have. */
export type PendingEntries = {
  /** The database's time. */
  now: string
  /** Committed once, and lost by the database: it was restored, or a standby without them took over. */
  lost: StoredEntry[]
  /** Perhaps never committed: their process crashed or lost its connection, or they are being committed now. */
  in_doubt: StoredEntry[]
  /** Whether there are more than were read. */
  more: boolean
}

/** A record outside the database of what was erased and revoked, which a restored database is compared with (ADR 22). */
export type Ledger = {
  /** False without ERASURE_LEDGER: nothing is recorded. */
  readonly isConfigured: boolean
  /**
   * Called in a transaction that erases or revokes, as its last step, or before it takes locks that many wait for: appends the
   * entries durably and inserts their marks with `tx`. Throws a Refusal (503) if the ledger cannot be written, so that the
   * transaction rolls back.
   */
  record(tx: Db, entries: readonly LedgerEntry[]): Promise<void>
  /** What helps after a restore but is not required: written without waiting, after the commit. A crash may lose it. */
  note(notes: readonly LedgerNote[]): void
  /** The first entries, at most `pendingBatch` of each, that the database of this connection does not have. */
  readPending(db: Db): Promise<PendingEntries>
  /** Inserts the marks of entries that were applied again. */
  markApplied(tx: Db, entries: readonly StoredEntry[]): Promise<void>
  /** Deletes marks that are no longer needed, and files whose retention is over. */
  confirm(db: Db): Promise<void>
  /** Every note of the last days, oldest file first. A generation may occur more than once. */
  readNotes(): AsyncIterable<StoredNote>
  /** Compares every new connection of a database with the ledger. Undefined without ERASURE_LEDGER. */
  guard(db: Database): LedgerGuard | undefined
  /** Writes what is queued and closes the files. */
  close(): Promise<void>
}

/** Used without ERASURE_LEDGER: nothing is recorded, and a restored database is served as it is. */
export const noLedger: Ledger = {
  isConfigured: false,
  record: async () => {},
  note: () => {},
  readPending: async () => ({ now: '', lost: [], in_doubt: [], more: false }),
  markApplied: async () => {},
  confirm: async () => {},
  async *readNotes() {},
  guard: () => undefined,
  close: async () => {},
}

/** Keeps a database that lacks entries of the ledger from being used. */
export type LedgerGuard = {
  /** Returns once the database has every entry of the ledger. `onWait` is called once if it has to wait for `vidimus admin restore apply`. */
  untilComplete(onWait: (reason: RestorePendingError) => Promise<void>): Promise<void>
  /**
   * Repeats the comparison once a second. It finds what a process that was stopped between its commit and the line that says so
   * wrote after new connections had been compared, and lets the service go on after `vidimus admin restore apply`.
   */
  watch(): Disposable
}

/** Something that can be erased or revoked, of which the ledger knows only a keyed hash: how its rows are found, and how one is ended. */
export type EndedRows<Row> = {
  kind: LedgerKind
  /** For the transaction that ends a row, if it needs other limits than usual. */
  limits?: { statement_ms: number; lock_ms: number }
  /** The rows in effect that follow `after`, in the order of their key. */
  readPage: (db: Db, page: { after: Row | undefined; limit: number }) => Promise<Row[]>
  /** Every id under which the end of this row may have been recorded. */
  ledgerIds: (row: Row) => readonly string[]
  /** Ends the row once more. */
  end: (tx: Db, row: Row, ended: EndedIds) => Promise<void>
}

/** The ids of a row that were recorded, each with the day of its entry, if that has one. */
export type EndedIds = ReadonlyMap<string, string | undefined>

/** The id of an entry or a note as the ledger stores it: 128 bits are enough to find it among the rows of a day. */
export function hashLedgerId(keyring: Pick<Keyring, 'mac'>, kind: LedgerKind | NoteKind, id: string): Buffer {
  return keyring.mac('erasure ledger', kind, id).subarray(0, 16)
}
