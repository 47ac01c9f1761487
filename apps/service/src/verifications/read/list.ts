import type { ListVerifications, Verification } from '@vidimus/contract'
import type { Context } from '../../context.ts'
import type { Principal } from '../../platform/principal.ts'
import { Refusal } from '../../platform/refusal.ts'
import { openSlots } from '../../platform/slots.ts'
import { takeReadSlot } from '../../platform/take-read-slot.ts'
import { toSessionOwner } from '../owner.ts'
import { daysWithSessions, listSessions, type ListedSession } from '../store.ts'
import { viewVerification } from '../view.ts'

/** The JSON of a page: `usual` covers most pages, `large` is the maximum. Portraits make some pages much larger than others. */
export const maxPage_bytes = { usual: 256 * 1024, large: 8 * 1024 * 1024 }
/** Pages larger than usual that are read at the same time. */
export const maxLargePages = { each: 1, all: 3 }
const largePages = openSlots(maxLargePages)

/**
 * The caller's verifications, newest first, strictly before a given time. `created_at` is unique per tenant, so paging with
 * the last one visits each exactly once. Only days on which the tenant has sessions are read.
 */
export async function listVerifications(
  ctx: Context,
  principal: Principal,
  query: ListVerifications,
): Promise<Verification[]> {
  const rows = await readPage(ctx, principal, { query, max_bytes: maxPage_bytes.usual })
  return rows === 'too large'
    ? listLargePage(ctx, principal, query)
    : rows.map((row) => viewVerification(ctx, row))
}

/** A short page would look like the end of the list, so a page that is too large is refused as a whole. */
async function listLargePage(
  ctx: Context,
  principal: Principal,
  query: ListVerifications,
): Promise<Verification[]> {
  const releaseSlot = takeReadSlot(largePages, principal.tenant_id, 'large page')
  try {
    const rows = await readPage(ctx, principal, { query, max_bytes: maxPage_bytes.large })
    if (rows === 'too large')
      throw new Refusal(
        'invalid_request',
        `This page has more than ${maxPage_bytes.large / 2 ** 20} MiB. Request fewer verifications with limit.`,
      )
    return rows.map((row) => viewVerification(ctx, row))
  } finally {
    releaseSlot()
  }
}

type ReadPage = { query: ListVerifications; max_bytes: number }

async function readPage(
  ctx: Context,
  principal: Principal,
  { query, max_bytes }: ReadPage,
): Promise<ListedSession[] | 'too large'> {
  const before = query.before ?? null
  const owner = toSessionOwner(principal)
  const rows: ListedSession[] = []
  let remaining_bytes = max_bytes
  for await (const day of daysWithSessions(ctx.db, owner, before)) {
    const limit = query.limit - rows.length
    const found = await listSessions(ctx.db, day, owner, { before, limit, max_bytes: remaining_bytes })
    if (found.some(({ omitted }) => omitted)) return 'too large'
    rows.push(...found)
    remaining_bytes -= found.at(-1)?.bytes ?? 0
    if (rows.length === query.limit) break
  }
  return rows
}
