import type { Db } from '../../engine/db/index.ts'
import { daysWithSessions, scanRows, type Scanned, type SessionOwner } from '../store.ts'

/** A page scans at most this many sessions and days, so that a filter without matches does not read a whole year. */
export const maxScanned = 5000
export const maxDaysScanned = 60

export type ScanRequest = {
  owner: SessionOwner
  before: string | undefined
  after: string | undefined
  limit: number
}

export type ScannedPage<Row> = { rows: Row[]; next_before?: string | undefined }

/** Reads the next `scanRows` sessions of a day before a time, and returns at most `limit` of those that pass a filter. */
type ScanDay<Row> = (
  day: string,
  page: { before: string; limit: number },
) => Promise<(Scanned & { rows: Row[] }) | undefined>

/**
 * The newest sessions that pass a filter. A page may contain fewer than requested, even none: `next_before` says where to
 * continue, and is absent on the last page. Undefined once `scanDay` returns undefined.
 */
export async function scanDays<Row extends { created_at: string }>(
  db: Db,
  { owner, before: start, after, limit }: ScanRequest,
  scanDay: ScanDay<Row>,
): Promise<ScannedPage<Row> | undefined> {
  const rows: Row[] = []
  let before = start
  let scanned = 0
  let days = 0
  for await (const day of daysWithSessions(db, owner, before ?? null)) {
    if (after !== undefined && day < after.slice(0, 10)) break
    days += 1
    if (days > maxDaysScanned) return { rows, next_before: before }
    for (;;) {
      const found = await scanDay(day, { before: before ?? 'infinity', limit: limit - rows.length })
      if (found === undefined) return undefined
      rows.push(...found.rows)
      if (rows.length >= limit) return { rows, next_before: rows.at(-1)?.created_at }
      before = found.last_at ?? before
      scanned += found.seen
      if (found.seen < scanRows) break
      if (scanned >= maxScanned) return { rows, next_before: before }
    }
  }
  return { rows }
}
