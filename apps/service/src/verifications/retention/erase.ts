import type { Erasure } from '@vidimus/contract'
import { type Principal, dayOfSessionId, notFound } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { onOneDay } from '../../engine/db/index.ts'
import { hashLoggedSession } from '../../engine/keyring/index.ts'
import type { Revocable } from '../../engine/ledger/index.ts'
import { readSessions } from '../store.ts'
import { actorColumns, toSessionOwner } from '../view-verification.ts'
import {
  type ErasableSession,
  eraseLimits,
  eraseSession,
  forgetResults,
  readAnsweredSessionPage,
  readSessionPage,
} from './store.ts'

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

/** The verifications of one day that were erased. */
export function erasableSessions(keyring: Context['keyring'], day: string): Revocable<ErasableSession> {
  return {
    kind: 'session',
    limits: eraseLimits,
    readPage: (db, page) => readSessionPage(db, { day, ...page }),
    ledgerIds: ({ id }) => [id],
    async end(tx, { id, tenant_id, environment }) {
      const hash = hashLoggedSession(keyring, id)
      await eraseSession(tx, { tenant_id, environment, day, id, actor: 'operator', actor_name: null, hash })
    },
  }
}

/** The verifications of one day whose results were deleted once they were delivered or redeemed (RET-3). */
export function forgettableResults(day: string): Revocable<ErasableSession> {
  return {
    kind: 'result',
    readPage: (db, page) => readAnsweredSessionPage(db, { day, ...page }),
    ledgerIds: ({ id }) => [id],
    async end(tx, { id }) {
      await forgetResults(tx, [{ day, id }])
    },
  }
}
