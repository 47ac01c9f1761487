import { toHex, writeLine } from '@vidimus/evidence'
import type { Db } from '../platform/db/open.ts'
import { partitionDays } from '../platform/db/partitions.ts'
import { entryOf, textsOf } from './entry-of.ts'
import { readDay, type PlacedRow } from './history-store.ts'

const page = 2000

type ReadLine = { seq: number; line: string; link: Uint8Array; opened: boolean }

/** A tenant's entries in the order of its chain, as lines of an export. */
export async function* readLines(db: Db, tenant_id: string): AsyncGenerator<ReadLine> {
  for (const day of await partitionDays(db, 'audit_entries')) {
    let rows: PlacedRow[]
    let after = 0
    do {
      rows = await readDay(db, { tenant_id, day, after, limit: page })
      for (const row of rows)
        yield { seq: row.seq, line: lineOf(row), link: row.link, opened: row.secret !== null }
      after = rows.at(-1)?.seq ?? 0
    } while (rows.length === page)
  }
}

function lineOf(row: PlacedRow): string {
  const texts = openedTexts(row)
  return writeLine({
    entry: entryOf(row),
    link: toHex(row.link),
    ...(texts !== undefined && { texts }),
  })
}

export function openedTexts({ secret, actor_name_text, purpose_text, subject_text }: PlacedRow) {
  if (secret === null) return undefined
  return textsOf({ secret, actor_name: actor_name_text, purpose: purpose_text, subject: subject_text })
}
