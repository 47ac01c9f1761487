import type { ListVerifications, Verification } from '@vidimus/contract'
import type { Context } from '../context.ts'
import type { Principal } from '../platform/principal.ts'
import { ownerOf } from './owner.ts'
import { daysWithSessions, listSessions, type SessionRow } from './store.ts'
import { viewVerification } from './view.ts'

/**
 * The caller's verifications, newest first, strictly before a moment. `created_at` differs for every two of a tenant, so
 * walking with the last one's visits each exactly once. Only days on which it has any are read.
 */
export async function listVerifications(
  ctx: Context,
  principal: Principal,
  query: ListVerifications,
): Promise<Verification[]> {
  const before = query.before ?? null
  const owner = ownerOf(principal)
  const rows: SessionRow[] = []
  for await (const day of daysWithSessions(ctx.db, owner, before)) {
    const limit = query.limit - rows.length
    rows.push(...(await listSessions(ctx.db, day, owner, { before, limit })))
    if (rows.length === query.limit) break
  }
  return rows.map((row) => viewVerification(ctx, row))
}
