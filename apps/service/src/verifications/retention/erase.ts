import type { Erasure } from '@vidimus/contract'
import { type Principal, dayOfVerificationId, notFound } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { type Db, onOneDay } from '../../engine/db/index.ts'
import { hashLoggedVerification } from '../../engine/keyring/index.ts'
import type { EndedRows } from '../../engine/ledger/index.ts'
import { readVerifications } from '../store.ts'
import { actorColumns, toVerificationOwner } from '../view-verification.ts'
import {
  type ErasableVerification,
  eraseLimits,
  eraseStored,
  forgetResults,
  readRespondedVerificationPage,
  readVerificationPage,
} from './store.ts'

/**
 * Permanently deletes a verification and everything derived from it, and returns what was deleted. `first` runs in the same transaction,
 * before any lock of the verification is taken.
 */
export async function eraseVerification(
  ctx: Context,
  principal: Principal,
  id: string,
  first?: (tx: Db) => Promise<unknown>,
): Promise<Erasure> {
  const { tenant_id, environment } = principal
  const day = dayOfVerificationId(id)
  if (day === undefined) throw notFound('session_not_found')
  const erased = await ctx.db.transaction(async (tx) => {
    // Before any lock is taken: erasures of one tenant wait for each other, and so they share a sync of the ledger instead of waiting
    // for one each. If there is nothing to erase after all, the entry is rolled back.
    if (ctx.ledger.isConfigured) {
      const key = { day, id, ...toVerificationOwner(principal) }
      if ((await readVerifications(tx, [key], onOneDay(day))).length === 0)
        throw notFound('session_not_found')
      await ctx.ledger.record(tx, [{ kind: 'verification', day, id }])
    }
    await first?.(tx)
    const hash = hashLoggedVerification(ctx.keyring, id)
    const row = await eraseStored(tx, {
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
      verification_sessions: erased.verifications,
      verification_results: erased.results,
      webhook_deliveries: erased.deliveries,
    },
    erased_at: erased.erased_at,
  }
}

/** The verifications of one day that were erased. */
export function erasableVerifications(
  keyring: Context['keyring'],
  day: string,
): EndedRows<ErasableVerification> {
  return {
    kind: 'verification',
    limits: eraseLimits,
    readPage: (db, page) => readVerificationPage(db, { day, ...page }),
    ledgerIds: ({ id }) => [id],
    async end(tx, { id, tenant_id, environment }) {
      const hash = hashLoggedVerification(keyring, id)
      await eraseStored(tx, { tenant_id, environment, day, id, actor: 'operator', actor_name: null, hash })
    },
  }
}

/** The verifications of one day whose results were deleted once they were delivered or redeemed (RET-3). */
export function forgettableResults(day: string): EndedRows<ErasableVerification> {
  return {
    kind: 'result',
    readPage: (db, page) => readRespondedVerificationPage(db, { day, ...page }),
    ledgerIds: ({ id }) => [id],
    async end(tx, { id }) {
      await forgetResults(tx, [{ day, id }])
    },
  }
}
