import type { ListVerifications, Verification } from '@vidimus/contract'
import type { Context } from '../context.ts'
import type { Principal } from '../platform/principal.ts'
import { ownerOf } from './owner.ts'
import { listSessions, readUsedDays, type SessionRow } from './store.ts'
import { viewVerification } from './view.ts'

/**
 * The caller's verifications, newest first, strictly before a moment. `created_at` differs for every two of a tenant, so
 * walking with the last one's visits each exactly once. Only days on which the tenant created anything are looked at.
 */
export async function listVerifications(
  ctx: Context,
  principal: Principal,
  query: ListVerifications,
): Promise<Verification[]> {
  const before = query.before ?? null
  const rows: SessionRow[] = []
  for (const day of await readUsedDays(ctx.db, principal.tenant_id, before)) {
    const limit = query.limit - rows.length
    rows.push(...(await listSessions(ctx.db, day, ownerOf(principal), { before, limit })))
    if (rows.length === query.limit) break
  }
  return rows.map((row) => viewVerification(ctx, row))
}
