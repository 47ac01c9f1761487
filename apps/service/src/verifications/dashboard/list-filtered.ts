import type {
  Environment,
  FilterVerifications,
  SearchResults,
  VerificationPage,
  VerificationSummary,
} from '@vidimus/contract'
import { type MemberPrincipal, dayOfVerificationIdStart } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { type ScannedPage, scanDays } from '../read/list-verifications.ts'
import { daysWithVerifications } from '../store.ts'
import { type ListedVerificationRow, filterDay, hasCompleted, searchDay } from './store.ts'

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

type FoundVerifications = Pick<SearchResults, 'verifications' | 'verifications_searched'>

/** How far back a search for metadata goes. */
const maxDays = 30

const day_ms = 86_400_000

/**
 * Verifications whose id begins with a text, or that have it as a part of a value of their metadata. There is no index on metadata,
 * because every creation would have to pay for it: the newest verifications are searched, as many as a page of the list scans.
 */
export async function searchVerifications(
  { db }: Pick<Context, 'db'>,
  { tenant_id, environment }: MemberPrincipal,
  { text, limit, now }: { text: string; limit: number; now: string },
): Promise<FoundVerifications> {
  const owner = { tenant_id, environment, device_id: null }
  let verifications_searched = 0
  const idDay = dayOfVerificationIdStart(text)
  const before = idDay === undefined ? undefined : `${nextDay(idDay)}T00:00:00Z`
  const after = idDay === undefined ? undefined : `${idDay}T00:00:00Z`
  const page = await scanDays(
    db,
    { owner, before, after: after ?? daysBefore(now, maxDays), limit },
    async (day, part) => {
      const found = await searchDay(
        db,
        { day, tenant_id, environment, ...part },
        { text, by_id: idDay !== undefined },
      )
      verifications_searched += found.seen
      return found
    },
  )
  const verifications = (page?.rows ?? []).map((row) => ({
    ...viewListed(row),
    ...(row.metadata_name !== null &&
      row.metadata_value !== null && { metadata: { name: row.metadata_name, value: row.metadata_value } }),
  }))
  return { verifications, verifications_searched }
}

function nextDay(day: string): string {
  return new Date(Date.parse(day) + day_ms).toISOString().slice(0, 10)
}

function daysBefore(time: string, days: number): string {
  return new Date(Date.parse(time) - days * day_ms).toISOString()
}

/** How many of the newest days with verifications are searched for a completed one. */
const maxDaysSearched = 7

/** Whether anything was created and completed, judging by the newest days. */
export async function findFirstSuccess(
  { db }: Pick<Context, 'db'>,
  scope: { tenant_id: string; environment: Environment },
): Promise<{ created: boolean; completed: boolean }> {
  let searched = 0
  for await (const day of daysWithVerifications(db, scope, null)) {
    if (await hasCompleted(db, { ...scope, day })) return { created: true, completed: true }
    searched += 1
    if (searched === maxDaysSearched) break
  }
  return { created: searched > 0, completed: false }
}
