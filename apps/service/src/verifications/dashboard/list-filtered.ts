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
import { daysWithVerifications } from '../read/days-store.ts'
import { type MetadataCondition, hasMetadata, selectScanned } from '../store.ts'
import { type ListedVerificationRow, filterDay, hasCompleted } from './store.ts'

/** Verifications that pass a filter, newest first; the pages are those of `scanDays`. */
export async function listFiltered(
  { db }: Pick<Context, 'db'>,
  owner: Pick<MemberPrincipal, 'tenant_id' | 'environment'>,
  query: FilterVerifications,
): Promise<VerificationPage> {
  const page = await filterVerifications(db, owner, query)
  return {
    data: page.rows.map(viewListed),
    ...(page.next_before !== undefined && { next_before: page.next_before }),
  }
}

export async function filterVerifications(
  db: Db,
  { tenant_id, environment }: Pick<MemberPrincipal, 'tenant_id' | 'environment'>,
  { limit, before, ...query }: FilterVerifications & { id_start?: string },
): Promise<ScannedPage<ListedVerificationRow>> {
  const {
    after,
    status = null,
    template = null,
    error_code = null,
    device_id = null,
    id_start = null,
  } = query
  const metadata = query.metadata === undefined ? null : readCondition(query.metadata)
  const filter = { status, template, error_code, device_id, id_start }
  const owner = { tenant_id, environment, device_id: null }
  const page = await scanDays(db, { owner, before, after, metadata, limit }, (day, part) => {
    const scanned = selectScanned(day, owner, { before: part.before, after: after ?? '-infinity', metadata })
    return filterDay(db, { scanned, hasMetadata: hasMetadata(metadata), limit: part.limit }, filter)
  })
  return page ?? { rows: [] }
}

/** `order=A-1001` is a name and its value, anything without a name a value of any. */
function readCondition(text: string): MetadataCondition {
  const [, name = '', value = text] = /^([^=]*)=(.*)$/s.exec(text) ?? []
  return name === '' ? { any: value } : { pairs: { [name]: value } }
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

const day_ms = 86_400_000

/** Verifications whose id begins with a text, or that have it as a value of their metadata, whenever they were created. */
export async function searchVerifications(
  { db }: Pick<Context, 'db'>,
  member: MemberPrincipal,
  { text, limit }: { text: string; limit: number },
): Promise<SearchResults['verifications']> {
  const day = dayOfVerificationIdStart(text)
  if (day !== undefined) {
    const onDay = { after: `${day}T00:00:00Z`, before: `${nextDay(day)}T00:00:00Z` }
    const { rows } = await filterVerifications(db, member, { ...onDay, id_start: text, limit })
    return rows.map(viewListed)
  }
  const { rows } = await filterVerifications(db, member, { metadata: `=${text}`, limit })
  return rows.map((row) => ({ ...viewListed(row), ...findMember(row, text) }))
}

/** The member of the metadata that a search has found. */
function findMember({ metadata }: ListedVerificationRow, text: string) {
  const found = Object.entries(metadata ?? {}).find(([, value]) => lowerAscii(value) === lowerAscii(text))
  return found && { metadata: { name: found[0], value: found[1] } }
}

function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function nextDay(day: string): string {
  return new Date(Date.parse(day) + day_ms).toISOString().slice(0, 10)
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
