import type { AuditEntry, AuditList } from '@vidimus/contract'
import type { Context } from '../context.ts'
import type { Db } from '../platform/db/open.ts'
import type { EntryWithTextsRow } from './chain/history-store.ts'
import { rowToEntry } from './chain/row-to-entry.ts'
import {
  auditDays,
  countPending,
  readEntriesAbout,
  readMatchingEntries,
  readScanRange,
  type EntryFilter,
} from './list-store.ts'

/** Entries that one page looks through, at most, and how many of them at a time. */
export const maxEntriesScanned = 20_000
const scanBatch = 2000

export type ListAudit = {
  tenant_id: string
  limit: number
  before_seq?: number | undefined
  action?: string | undefined
  /** An actor as the chain names it, or its kind: `key`, `device`, `operator`, `wallet`. */
  actor?: string | undefined
  subject?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/**
 * A tenant's entries, newest first, with the texts that are still there. A page that found little in all that it may look
 * through says where the next goes on.
 */
export async function listAudit({ db }: Pick<Context, 'db'>, wanted: ListAudit): Promise<AuditList> {
  const { limit, before_seq: before = Number.MAX_SAFE_INTEGER } = wanted
  const waiting = await countPending(db, wanted.tenant_id)
  const { rows, next } =
    wanted.subject === undefined
      ? await scanBack(db, { ...wanted, before })
      : await readSubject(db, { ...wanted, before, subject: wanted.subject })
  const page = rows.slice(0, limit)
  const next_before_seq = rows.length > limit ? page.at(-1)?.seq : next
  return { data: page.map(viewEntry), ...(next_before_seq !== undefined && { next_before_seq }), waiting }
}

type FoundEntries = { rows: EntryWithTextsRow[]; next?: number | undefined }

/** What was done to one subject is found by the index of the texts. */
async function readSubject(
  db: Db,
  wanted: EntryFilter & { subject: string; limit: number },
): Promise<FoundEntries> {
  const rows: EntryWithTextsRow[] = []
  for await (const day of auditDays(db, wanted)) {
    rows.push(...(await readEntriesAbout(db, { ...wanted, day, limit: wanted.limit + 1 - rows.length })))
    if (rows.length > wanted.limit) break
  }
  return { rows }
}

/** Goes back day by day. An entry is chained on the day it was made or later, so that days before `from` hold none. */
async function scanBack(db: Db, wanted: EntryFilter & { limit: number }): Promise<FoundEntries> {
  const { tenant_id, from, limit } = wanted
  const rows: EntryWithTextsRow[] = []
  let { before } = wanted
  let looked = 0
  for await (const day of auditDays(db, { tenant_id, from })) {
    let here: number
    do {
      if (looked >= maxEntriesScanned) return { rows, next: before }
      const { entries, first } = await readScanRange(db, { tenant_id, day, before, limit: scanBatch })
      if (first !== null) {
        const missing = limit + 1 - rows.length
        rows.push(...(await readMatchingEntries(db, { ...wanted, day, before, first, limit: missing })))
        before = first
      }
      here = entries
      looked += entries
      if (rows.length > limit) return { rows }
    } while (here === scanBatch)
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
