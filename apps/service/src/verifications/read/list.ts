import type { ListVerifications, VerificationList } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { type Principal, Refusal } from '../../engine/basics/index.ts'
import { openSlots, takeReadSlot } from '../../engine/scheduling/index.ts'
import { toSessionOwner } from '../owner.ts'
import {
  daysWithSessions,
  listSessions,
  scanSessions,
  type ListedSession,
  type SessionOwner,
} from '../store.ts'
import { scanDays, type ScannedPage } from './scan-days.ts'
import { viewVerification } from '../view.ts'

/** The JSON of a page: `usual` covers most pages, `large` is the maximum. Portraits make some pages much larger than others. */
export const maxPage_bytes = { usual: 256 * 1024, large: 8 * 1024 * 1024 }
/** Pages larger than usual that are read at the same time. */
export const maxLargePages = { each: 1, all: 3 }
const largePages = openSlots(maxLargePages)

/**
 * The caller's verifications, newest first, strictly before a given time. `created_at` is unique per tenant, so paging with
 * the last one visits each exactly once. Only days on which the tenant has sessions are read. With a filter, a page can be short
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

type Page = ScannedPage<ListedSession>

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
  const owner = toSessionOwner(principal)
  return isFiltered(query)
    ? readFiltered(db, owner, { query, max_bytes })
    : readNewest(db, owner, { query, max_bytes })
}

function isFiltered({ status, template, created_after, created_before }: ListVerifications): boolean {
  return [status, template, created_after, created_before].some((filter) => filter !== undefined)
}

async function readNewest(
  db: Db,
  owner: SessionOwner,
  { query, max_bytes }: ReadPage,
): Promise<Page | undefined> {
  const { before = 'infinity' } = query
  const rows: ListedSession[] = []
  let left_bytes = max_bytes
  for await (const day of daysWithSessions(db, owner, query.before ?? null)) {
    const limit = query.limit - rows.length
    const found = await listSessions(db, day, owner, { before, limit, max_bytes: left_bytes })
    if (found.some(({ omitted }) => omitted)) return undefined
    rows.push(...found)
    left_bytes -= found.at(-1)?.bytes ?? 0
    if (rows.length === query.limit) break
  }
  return { rows }
}

async function readFiltered(
  db: Db,
  owner: SessionOwner,
  { query, max_bytes }: ReadPage,
): Promise<Page | undefined> {
  const { limit, created_after: after, status = null, template = null } = query
  const filter = { status, template, after: after ?? '-infinity' }
  const before = earlier(query.before, query.created_before)
  let left_bytes = max_bytes
  return scanDays(db, { owner, before, after, limit }, async (day, part) => {
    const found = await scanSessions(db, { day, owner, filter }, { ...part, max_bytes: left_bytes })
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
