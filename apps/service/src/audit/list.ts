import type { AuditEntry, AuditList } from '@vidimus/contract'
import type { Context } from '../context.ts'
import type { Db } from '../platform/db/open.ts'
import type { PlacedRow } from './history-store.ts'
import { entryOf } from './entry-of.ts'
import { auditDays, countWaiting, readAbout, readMatching, readReach, type Wanted } from './list-store.ts'

/** Entries that one page looks through, at most, and how many of them at a time. */
export const reach = 20_000
const step = 2000

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
  const waiting = await countWaiting(db, wanted.tenant_id)
  const { rows, next } =
    wanted.subject === undefined
      ? await lookBack(db, { ...wanted, before })
      : await readSubject(db, { ...wanted, before, subject: wanted.subject })
  const page = rows.slice(0, limit)
  const next_before_seq = rows.length > limit ? page.at(-1)?.seq : next
  return { data: page.map(viewEntry), ...(next_before_seq !== undefined && { next_before_seq }), waiting }
}

type Found = { rows: PlacedRow[]; next?: number | undefined }

/** What was done to one subject is found by the index of the texts. */
async function readSubject(db: Db, wanted: Wanted & { subject: string; limit: number }): Promise<Found> {
  const rows: PlacedRow[] = []
  for await (const day of auditDays(db, wanted)) {
    rows.push(...(await readAbout(db, { ...wanted, day, limit: wanted.limit + 1 - rows.length })))
    if (rows.length > wanted.limit) break
  }
  return { rows }
}

/** Goes back day by day. An entry is chained on the day it was made or later, so that days before `from` hold none. */
async function lookBack(db: Db, wanted: Wanted & { limit: number }): Promise<Found> {
  const { tenant_id, from, limit } = wanted
  const rows: PlacedRow[] = []
  let { before } = wanted
  let looked = 0
  for await (const day of auditDays(db, { tenant_id, from })) {
    let here: number
    do {
      if (looked >= reach) return { rows, next: before }
      const { entries, first } = await readReach(db, { tenant_id, day, before, limit: step })
      if (first !== null) {
        const missing = limit + 1 - rows.length
        rows.push(...(await readMatching(db, { ...wanted, day, before, first, limit: missing })))
        before = first
      }
      here = entries
      looked += entries
      if (rows.length > limit) return { rows }
    } while (here === step)
  }
  return { rows }
}

function viewEntry(row: PlacedRow): AuditEntry {
  const { seq, at, action, actor, detail, commitments } = entryOf(row)
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
