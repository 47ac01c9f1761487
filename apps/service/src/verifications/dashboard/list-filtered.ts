import type { FilterVerifications, VerificationSummary, VerificationPage } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import type { MemberPrincipal } from '../../engine/basics/index.ts'
import { scanDays, type ScannedPage } from '../read/scan-days.ts'
import { filterDay, type ListedVerificationRow } from './store.ts'

/** Verifications that pass a filter, newest first; the pages are those of `scanDays`. */
export async function listFiltered(
  { db }: Pick<Context, 'db'>,
  member: MemberPrincipal,
  query: FilterVerifications,
): Promise<VerificationPage> {
  const page = await filterVerifications(db, member, query)
  return {
    data: page.rows.map(viewListed),
    ...(page.next_before !== undefined && { next_before: page.next_before }),
  }
}

export async function filterVerifications(
  db: Db,
  { tenant_id, environment }: Pick<MemberPrincipal, 'tenant_id' | 'environment'>,
  { limit, before, ...query }: FilterVerifications,
): Promise<ScannedPage<ListedVerificationRow>> {
  const { after, status = null, template = null, error_code = null, device_id = null } = query
  const filter = { after: after ?? '-infinity', status, template, error_code, device_id }
  const owner = { tenant_id, environment, device_id: null }
  const page = await scanDays(db, { owner, before, after, limit }, (day, part) =>
    filterDay(db, { day, tenant_id, environment, ...part }, filter),
  )
  return page ?? { rows: [] }
}

export function viewListed(row: ListedVerificationRow): VerificationSummary {
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
