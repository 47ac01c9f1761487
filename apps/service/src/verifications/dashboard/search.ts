import type { SearchResults } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { type MemberPrincipal, dayOfSessionIdStart } from '../../engine/basics/index.ts'
import { scanDays } from '../read/scan-days.ts'
import { viewListed } from './list-filtered.ts'
import { searchDay } from './store.ts'

/** How far back a search for metadata goes. */
const maxDays = 30

type FoundVerifications = Pick<SearchResults, 'verifications' | 'verifications_searched'>

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
  const idDay = dayOfSessionIdStart(text)
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

const day_ms = 86_400_000

function nextDay(day: string): string {
  return new Date(Date.parse(day) + day_ms).toISOString().slice(0, 10)
}

function daysBefore(time: string, days: number): string {
  return new Date(Date.parse(time) - days * day_ms).toISOString()
}
