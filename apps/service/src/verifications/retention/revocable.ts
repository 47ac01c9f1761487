import type { Context } from '../../engine/context.ts'
import { hashLoggedSession } from '../../engine/keyring/index.ts'
import type { Revocable } from '../../engine/ledger/index.ts'
import { eraseLimits, eraseSession, forgetResults } from './store.ts'
import { readAnsweredSessionPage, readSessionPage, type ErasableSession } from './revocable-store.ts'

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
