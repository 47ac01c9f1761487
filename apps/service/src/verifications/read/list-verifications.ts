import type { ListVerifications, VerificationList } from '@vidimus/contract'
import { type Principal, Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { type DayGroup, type Db, groupByDay } from '../../engine/db/index.ts'
import { openSlots, takeReadSlot } from '../../engine/scheduling/index.ts'
import {
  type BatchRow,
  type ListedVerification,
  type MetadataCondition,
  type Scanned,
  type VerificationOwner,
  indexedValue,
  readVerificationList,
  scanRows,
  scanVerifications,
} from '../store.ts'
import { daysToList, daysWithMetadata } from './days-store.ts'
import { toVerificationOwner, viewVerification } from '../view-verification.ts'

/** The JSON of a page: `usual` covers most pages, `large` is the maximum. Portraits make some pages much larger than others. */
export const maxPage_bytes = { usual: 256 * 1024, large: 8 * 1024 * 1024 }
/** Pages larger than usual that are read at the same time. */
export const maxLargePages = { each: 1, all: 3 }
const largePages = openSlots(maxLargePages)

/**
 * The caller's verifications, newest first, strictly before a given time. `created_at` is unique per tenant, so paging with the last one
 * visits each exactly once. Besides the tenant's newest day, only days with verifications are read. With a filter, a page can be short
 * although more follow, and `next_before` says where.
 */
export async function listVerifications(
  ctx: Context,
  principal: Principal,
  query: ListVerifications,
): Promise<VerificationList> {
  const page =
    (await readPage(ctx, principal, { query, max_bytes: maxPage_bytes.usual })) ??
    (await readLargePage(ctx, principal, query))
  return {
    data: page.rows.map((row) => viewVerification(ctx, row)),
    ...(page.next_before !== undefined && { next_before: page.next_before }),
  }
}

type Page = ScannedPage<ListedVerification>

/** A short page would look like the end of the list, so a page that is too large is refused as a whole. */
async function readLargePage(ctx: Context, principal: Principal, query: ListVerifications): Promise<Page> {
  const releaseSlot = takeReadSlot(largePages, principal.tenant_id, 'large page')
  try {
    const page = await readPage(ctx, principal, { query, max_bytes: maxPage_bytes.large })
    if (page === undefined)
      throw new Refusal(
        'invalid_request',
        `This page has more than ${maxPage_bytes.large / 2 ** 20} MiB. Request fewer verifications with limit.`,
      )
    return page
  } finally {
    releaseSlot()
  }
}

type ReadPage = { query: ListVerifications; max_bytes: number }

/** Undefined if the page is larger than `max_bytes`. */
async function readPage(
  { db }: Context,
  principal: Principal,
  { query, max_bytes }: ReadPage,
): Promise<Page | undefined> {
  const owner = toVerificationOwner(principal)
  return isFiltered(query)
    ? readFiltered(db, owner, { query, max_bytes })
    : readNewest(db, owner, { query, max_bytes })
}

function isFiltered({
  status,
  template,
  metadata,
  created_after,
  created_before,
}: ListVerifications): boolean {
  return [status, template, metadata, created_after, created_before].some((filter) => filter !== undefined)
}

async function readNewest(
  db: Db,
  owner: VerificationOwner,
  { query, max_bytes }: ReadPage,
): Promise<Page | undefined> {
  const { before = 'infinity' } = query
  const rows: ListedVerification[] = []
  let left_bytes = max_bytes
  for await (const day of daysToList(db, owner, query.before ?? null)) {
    const limit = query.limit - rows.length
    const found = await readVerificationList(db, day, owner, { before, limit, max_bytes: left_bytes })
    if (found.some(({ omitted }) => omitted)) return undefined
    rows.push(...found)
    left_bytes -= found.at(-1)?.bytes ?? 0
    if (rows.length === query.limit) break
  }
  return { rows }
}

async function readFiltered(
  db: Db,
  owner: VerificationOwner,
  { query, max_bytes }: ReadPage,
): Promise<Page | undefined> {
  const { limit, created_after: after, status = null, template = null } = query
  const metadata = query.metadata === undefined ? null : { pairs: query.metadata }
  const filter = { status, template, metadata, after: after ?? '-infinity' }
  const before = earlier(query.before, query.created_before)
  let left_bytes = max_bytes
  return scanDays(db, { owner, before, after, metadata, limit }, async (day, part) => {
    const found = await scanVerifications(db, { day, owner, filter }, { ...part, max_bytes: left_bytes })
    if (found.rows.some(({ omitted }) => omitted)) return undefined
    left_bytes -= found.rows.at(-1)?.bytes ?? 0
    return found
  })
}

/** Both are UTC, but their fractions differ in length; without the `Z` the order of the texts is that of the times. */
function earlier(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return a.slice(0, -1) < b.slice(0, -1) ? a : b
}

type ScanRequest = {
  owner: VerificationOwner
  before: string | undefined
  after: string | undefined
  metadata: MetadataCondition | null
  limit: number
}

export type ScannedPage<Row> = { rows: Row[]; next_before?: string | undefined }

/** Reads the next `scanRows` verifications of a day before a time, and returns at most `limit` of those that pass a filter. */
type ScanDay<Row> = (
  day: string,
  page: { before: string; limit: number },
) => Promise<(Scanned & { rows: Row[] }) | undefined>

/** A page scans at most this many verifications and days, so that a filter without matches does not read a whole year. */
export const maxScanned = 5000
export const maxDaysScanned = 60

/**
 * The newest verifications that pass a filter. A page may contain fewer than requested, even none: `next_before` says where to
 * continue, and is absent on the last page. Undefined once `scanDay` returns undefined.
 */
export async function scanDays<Row extends { created_at: string }>(
  db: Db,
  { owner, before: start, after, metadata, limit }: ScanRequest,
  scanDay: ScanDay<Row>,
): Promise<ScannedPage<Row> | undefined> {
  const rows: Row[] = []
  let before = start
  let scanned = 0
  let days = 0
  for await (const day of daysToScan(db, owner, { before: before ?? null, metadata })) {
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

function daysToScan(
  db: Db,
  owner: VerificationOwner,
  { before, metadata }: { before: string | null; metadata: MetadataCondition | null },
): AsyncGenerator<string, void> {
  return metadata === null
    ? daysToList(db, owner, before)
    : daysWithMetadata(db, owner, { value: indexedValue(metadata), before })
}

/**
 * Reads many verifications and gives every caller its own row, or undefined. `read` is called one after the other, because it may use
 * a transaction, and nearly always once: see `groupByDay`.
 */
export async function readByDay<Key extends { day: string }, Row>(
  keys: readonly Key[],
  read: (keys: Key[], onDay: DayGroup<Key>['onDay']) => Promise<BatchRow<Row>[]>,
): Promise<(Row | undefined)[]> {
  const rowByKey = new Map<Key, Row>()
  for (const group of groupByDay(keys)) {
    for (const row of await read(group.keys, group.onDay)) {
      const key = group.keys[row.place - 1]
      if (key !== undefined) rowByKey.set(key, row)
    }
  }
  return keys.map((key) => rowByKey.get(key))
}
