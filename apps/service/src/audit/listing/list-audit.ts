import type { Readable } from 'node:stream'
import type { AuditEntry, AuditList } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { type CsvCell, csvLine, streamCsv } from '../../engine/formats/index.ts'
import { openSlots, takeReadSlot } from '../../engine/scheduling/index.ts'
import type { EntryWithTextsRow } from '../chain/history-store.ts'
import { rowToEntry } from '../chain/sequence.ts'
import {
  type EntryFilter,
  auditDays,
  countPending,
  readEntriesAbout,
  readMatchingEntries,
  readScanRange,
} from './list-store.ts'

/** The most entries that one page scans, and how many of them at a time. */
export const maxEntriesScanned = 20_000
const scanBatch = 2000

export type ListAudit = {
  tenant_id: string
  limit: number
  before_seq?: number | undefined
  action?: string | undefined
  /** An actor as recorded in the chain, or its kind: `key`, `device`, `operator`, `wallet`. */
  actor?: string | undefined
  subject?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/**
 * A tenant's entries, newest first, with those texts that still exist. A page that reaches its scan limit says where the next
 * one continues.
 */
export async function listAudit({ db }: Pick<Context, 'db'>, filter: ListAudit): Promise<AuditList> {
  const { limit, before_seq: before = Number.MAX_SAFE_INTEGER } = filter
  const waiting = await countPending(db, filter.tenant_id)
  const { rows, next } =
    filter.subject === undefined
      ? await scanBack(db, { ...filter, before })
      : await readSubject(db, { ...filter, before, subject: filter.subject })
  const page = rows.slice(0, limit)
  const next_before_seq = rows.length > limit ? page.at(-1)?.seq : next
  return { data: page.map(viewEntry), ...(next_before_seq !== undefined && { next_before_seq }), waiting }
}

type FoundEntries = { rows: EntryWithTextsRow[]; next?: number | undefined }

/** Uses the index on the texts' subjects. */
async function readSubject(
  db: Db,
  filter: EntryFilter & { subject: string; limit: number },
): Promise<FoundEntries> {
  const rows: EntryWithTextsRow[] = []
  for await (const day of auditDays(db, filter)) {
    rows.push(...(await readEntriesAbout(db, { ...filter, day, limit: filter.limit + 1 - rows.length })))
    if (rows.length > filter.limit) break
  }
  return { rows }
}

/** Scans back day by day. An entry is chained on the day it was made or later, so days before `from` have none. */
async function scanBack(db: Db, filter: EntryFilter & { limit: number }): Promise<FoundEntries> {
  const { tenant_id, from, limit } = filter
  const rows: EntryWithTextsRow[] = []
  let { before } = filter
  let scanned = 0
  for await (const day of auditDays(db, { tenant_id, from })) {
    let batch: number
    do {
      if (scanned >= maxEntriesScanned) return { rows, next: before }
      const { entries, first } = await readScanRange(db, { tenant_id, day, before, limit: scanBatch })
      if (first !== null) {
        const missing = limit + 1 - rows.length
        rows.push(...(await readMatchingEntries(db, { ...filter, day, before, first, limit: missing })))
        before = first
      }
      batch = entries
      scanned += entries
      if (rows.length > limit) return { rows }
    } while (batch === scanBatch)
  }
  return { rows }
}

function viewEntry(row: EntryWithTextsRow): AuditEntry {
  const { seq, at, action, actor, detail, commitments } = rowToEntry(row)
  return {
    seq,
    at,
    action,
    actor,
    ...(row.actor_name_text !== null && { actor_name: row.actor_name_text }),
    ...(row.subject_text !== null && { subject: row.subject_text }),
    ...(row.purpose_text !== null && { purpose: row.purpose_text }),
    ...(detail !== undefined && { detail }),
    erased: commitments !== undefined && row.secret === null,
  }
}

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
