import type { Erasure } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { hashLoggedSession } from '../../engine/keyring/index.ts'
import { type Principal, dayOfSessionId, notFound } from '../../engine/basics/index.ts'
import { onOneDay } from '../../engine/db/index.ts'
import { actorColumns, toSessionOwner } from '../owner.ts'
import { readSessions } from '../store.ts'
import { eraseLimits, eraseSession } from './store.ts'

/** Permanently deletes a verification and everything derived from it, and returns what was deleted. */
export async function eraseVerification(ctx: Context, principal: Principal, id: string): Promise<Erasure> {
  const { tenant_id, environment } = principal
  const day = dayOfSessionId(id)
  if (day === undefined) throw notFound('session_not_found')
  const erased = await ctx.db.transaction(async (tx) => {
    // Before any lock is taken: erasures of one tenant wait for each other, and so they share a sync of the ledger instead of waiting
    // for one each. If there is nothing to erase after all, the entry is rolled back.
    if (ctx.ledger.isConfigured) {
      const key = { day, id, ...toSessionOwner(principal) }
      if ((await readSessions(tx, [key], onOneDay(day))).length === 0) throw notFound('session_not_found')
      await ctx.ledger.record(tx, [{ kind: 'session', day, id }])
    }
    const hash = hashLoggedSession(ctx.keyring, id)
    const row = await eraseSession(tx, {
      tenant_id,
      environment,
      day,
      id,
      ...actorColumns(principal),
      hash,
    })
    if (row === undefined) throw notFound('session_not_found')
    return row
  }, eraseLimits)
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
