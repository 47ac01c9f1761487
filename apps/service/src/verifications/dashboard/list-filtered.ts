import type { FilterVerifications, VerificationSummary, VerificationPage } from '@vidimus/contract'
import type { Context } from '../../context.ts'
import type { MemberPrincipal } from '../../platform/principal.ts'
import { filterDay, type ListedVerificationRow } from './store.ts'
import { daysWithSessions } from '../store.ts'

/** A page scans at most this many sessions and days, so that a filter without matches does not read a whole year. */
const maxScanned = 5000
const maxDaysScanned = 60
const scanBatch = 1000

/**
 * Verifications that pass a filter, newest first. A page may contain fewer than requested, even none: `next_before` says
 * where to continue, and is absent on the last page.
 */
export async function listFiltered(
  { db }: Pick<Context, 'db'>,
  { tenant_id, environment }: MemberPrincipal,
  query: FilterVerifications,
): Promise<VerificationPage> {
  const { after = null, status = null, template = null, error_code = null, device_id = null } = query
  const filter = { after, status, template, error_code, device_id }
  const found: ListedVerificationRow[] = []
  let before = query.before ?? null
  let scanned = 0
  let days = 0
  for await (const day of daysWithSessions(db, { tenant_id, environment }, before)) {
    if (after !== null && day < after.slice(0, 10)) break
    days += 1
    if (days > maxDaysScanned) return page(found, before ?? undefined)
    for (;;) {
      const { rows, seen, last_at } = await filterDay(
        db,
        { day, before, limit: scanBatch, tenant_id, environment },
        filter,
      )
      const remaining = query.limit - found.length
      found.push(...rows.slice(0, remaining))
      if (rows.length >= remaining) return page(found, found.at(-1)?.created_at)
      if (last_at !== null) before = last_at
      scanned += seen
      if (scanned >= maxScanned) return page(found, before ?? undefined)
      if (seen < scanBatch) break
    }
  }
  return page(found, undefined)
}

function page(rows: ListedVerificationRow[], next_before: string | undefined): VerificationPage {
  return { data: rows.map(viewListed), ...(next_before !== undefined && { next_before }) }
}

function viewListed(row: ListedVerificationRow): VerificationSummary {
  return {
    id: row.id,
    status: row.status,
    ...(row.template !== null && { template: row.template }),
    ...(row.error_code !== null && { error_code: row.error_code }),
    ...(row.device_id !== null && { device_id: row.device_id }),
    created_at: row.created_at,
    expires_at: row.expires_at,
    ...(row.responded_at !== null && { responded_at: row.responded_at }),
  }
}
