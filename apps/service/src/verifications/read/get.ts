import type { Verification } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { type Database, coalescePerTarget } from '../../engine/db/index.ts'
import { type Principal, dayOfSessionId, notFound } from '../../engine/basics/index.ts'
import { toSessionOwner } from '../owner.ts'
import { readByDay } from './read-by-day.ts'
import { readSessions, type SessionKey, type SessionRow } from '../store.ts'
import { viewVerification } from '../view.ts'

/** One of the caller's verifications. An unknown id, another tenant's and an erased one give the same error. */
export async function getVerification(ctx: Context, principal: Principal, id: string): Promise<Verification> {
  const day = dayOfSessionId(id)
  const row =
    day === undefined ? undefined : await readSession(ctx.db, { day, id, ...toSessionOwner(principal) })
  if (row === undefined) throw notFound('session_not_found')
  return viewVerification(ctx, row)
}

/** A single lane: a read waits for no lock, and a statement for more sessions costs less for each. */
const readSession = coalescePerTarget<Database, SessionKey, SessionRow | undefined>({
  maxBatch: 64,
  maxWaiting: 2000,
  run: (db, keys) => readByDay(keys, (group, onDay) => readSessions(db, group, onDay)),
})
