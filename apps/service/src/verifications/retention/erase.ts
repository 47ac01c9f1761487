import type { Erasure } from '@vidimus/contract'
import type { Context } from '../../context.ts'
import { hashLoggedSession } from '../../platform/hash-session.ts'
import { dayOfSessionId } from '../../platform/ids.ts'
import type { Principal } from '../../platform/principal.ts'
import { notFound } from '../../platform/refusal.ts'
import { actorColumns } from '../owner.ts'
import { eraseLimits, eraseSession } from '../store.ts'

/** Permanently deletes a verification and everything derived from it, and returns what was deleted. */
export async function eraseVerification(ctx: Context, principal: Principal, id: string): Promise<Erasure> {
  const { tenant_id, environment } = principal
  const day = dayOfSessionId(id)
  const hash = hashLoggedSession(ctx.keyring, id)
  const erased =
    day === undefined
      ? undefined
      : await ctx.db.transaction(
          (tx) => eraseSession(tx, { tenant_id, environment, day, id, ...actorColumns(principal), hash }),
          eraseLimits,
        )
  if (erased === undefined) throw notFound('session_not_found')
  return {
    id,
    deleted: {
      verification_sessions: erased.sessions,
      verification_results: erased.results,
      webhook_deliveries: erased.deliveries,
    },
    erased_at: erased.erased_at,
  }
}
