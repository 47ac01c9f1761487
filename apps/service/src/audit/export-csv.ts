import type { Readable } from 'node:stream'
import type { AuditEntry } from '@vidimus/contract'
import type { Context } from '../engine/context.ts'
import { type CsvCell, csvLine, streamCsv } from '../engine/formats/index.ts'
import { openSlots, takeReadSlot } from '../engine/scheduling/index.ts'
import { listAudit, type ListAudit } from './list.ts'

/** Entries in one download, the newest. */
export const maxEntriesInCsv = 50_000
export const maxAuditCsvDownloads = { each: 1, all: 5 }
const pageSize = 500

/**
 * Downloads audit entries as CSV, newest first, for people and spreadsheets. It proves nothing: the export of the chain does.
 */
export function openAuditCsvExporter(
  ctx: Pick<Context, 'db'>,
): (filter: Omit<ListAudit, 'limit' | 'before_seq'>) => Promise<Readable> {
  const slots = openSlots(maxAuditCsvDownloads)
  return (filter) => {
    const release = takeReadSlot(slots, filter.tenant_id, 'download')
    return streamCsv(writeLines(ctx, filter), release)
  }
}

/** Every page is read by statements of its own: nothing stays open while a slow client reads. */
async function* writeLines(
  ctx: Pick<Context, 'db'>,
  filter: Omit<ListAudit, 'limit' | 'before_seq'>,
): AsyncGenerator<string> {
  yield csvLine(['seq', 'at', 'action', 'actor', 'actor_name', 'subject', 'purpose', 'detail', 'erased'])
  let before_seq: number | undefined
  let written = 0
  do {
    const page = await listAudit(ctx, { ...filter, limit: pageSize, before_seq })
    for (const entry of page.data) yield csvLine(toCells(entry))
    written += page.data.length
    before_seq = page.next_before_seq
  } while (before_seq !== undefined && written < maxEntriesInCsv)
  // A file that ends early must not look complete.
  if (before_seq !== undefined)
    yield csvLine([
      `Only the newest ${maxEntriesInCsv} entries are included. Export the rest with an earlier date.`,
    ])
}

function toCells(entry: AuditEntry): CsvCell[] {
  const { seq, at, action, actor, actor_name, subject, purpose, detail, erased } = entry
  return [seq, at, action, actor, actor_name, subject, purpose, detail && JSON.stringify(detail), erased]
}
