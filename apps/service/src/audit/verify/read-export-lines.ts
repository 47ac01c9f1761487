import { toHex, writeExportLine } from '@vidimus/evidence'
import { type Db, partitionDays } from '../../engine/db/index.ts'
import { rowToEntry, rowToTexts } from '../chain/row-to-entry.ts'
import { readDay, type EntryWithTextsRow } from '../chain/history-store.ts'

const pageSize = 2000

type ExportLine = { seq: number; line: string; link: Uint8Array; hasTexts: boolean }

/** A tenant's entries in chain order, as lines of an export. */
export async function* readExportLines(db: Db, tenant_id: string): AsyncGenerator<ExportLine> {
  for (const day of await partitionDays(db, 'audit_entries')) {
    let rows: EntryWithTextsRow[]
    let after = 0
    do {
      rows = await readDay(db, { tenant_id, day, after, limit: pageSize })
      for (const row of rows)
        yield { seq: row.seq, line: toExportLine(row), link: row.link, hasTexts: row.secret !== null }
      after = rows.at(-1)?.seq ?? 0
    } while (rows.length === pageSize)
  }
}

function toExportLine(row: EntryWithTextsRow): string {
  const texts = rowToTexts(row)
  return writeExportLine({
    entry: rowToEntry(row),
    link: toHex(row.link),
    ...(texts !== undefined && { texts }),
  })
}
