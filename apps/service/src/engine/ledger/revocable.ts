import type { Db } from '../db/open.ts'
import type { Keyring } from '../keyring/open.ts'
import type { LedgerKind } from '../db/schema/tables.ts'
import { hashLedgerId, type StoredEntry } from './ledger.ts'

/** Something that can be erased or revoked, of which the ledger knows only a keyed hash: how its rows are found, and how one is ended. */
export type Revocable<Row> = {
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

const pageSize = 1000

/**
 * The rows whose end the entries record. A hash does not lead back to its id, so every row is hashed: a page at a time, so that other
 * work of the process goes on.
 */
export async function* findEnded<Row>(
  { db, keyring }: { db: Db; keyring: Pick<Keyring, 'mac'> },
  { kind, readPage, ledgerIds }: Revocable<Row>,
  entries: readonly Pick<StoredEntry, 'kind' | 'day' | 'hash'>[],
): AsyncGenerator<{ row: Row; ended: EndedIds }> {
  const days = new Map(
    entries.filter((entry) => entry.kind === kind).map(({ hash, day }) => [hash.toString('latin1'), day]),
  )
  if (days.size === 0) return
  let after: Row | undefined
  for (;;) {
    const rows = await readPage(db, { after, limit: pageSize })
    for (const row of rows) {
      const ended = new Map<string, string | undefined>()
      for (const id of ledgerIds(row)) {
        const hash = hashLedgerId(keyring, kind, id).toString('latin1')
        if (days.has(hash)) ended.set(id, days.get(hash))
      }
      if (ended.size > 0) yield { row, ended }
    }
    after = rows.at(-1)
    if (after === undefined || rows.length < pageSize) return
  }
}
