import type { Context } from '../../engine/context.ts'
import { type Database, coalescePerTarget } from '../../engine/db/index.ts'
import { Refusal, dayOfSessionId, notFound } from '../../engine/basics/index.ts'
import { readByDay } from '../read/read-by-day.ts'
import { loadQuery, type SessionQuery } from './load-query.ts'
import { readWalletSessions, type WalletSessionRow } from './store.ts'

/** A session in any state. */
export type WalletSession = WalletSessionRow & { day: string }

/** A session as the wallet routes need it: still open, with its seed and its query. */
export type OpenSession = Omit<WalletSessionRow, 'seed' | 'query'> & {
  day: string
  seed: Buffer
  /** The session has a query of its own, not that of its template version. */
  own_query: boolean
} & SessionQuery

/** The open session that a wallet addresses. */
export async function findOpenSession(ctx: Context, id: string): Promise<OpenSession> {
  return requireOpen(ctx, await findWalletSession(ctx, id))
}

/** The session that a wallet or a page addresses, open or not. */
export async function findWalletSession({ db }: Pick<Context, 'db'>, id: string): Promise<WalletSession> {
  const day = dayOfSessionId(id)
  const row = day === undefined ? undefined : await readWalletSession(db, { day, id })
  if (row === undefined || day === undefined) throw notFound('session_not_found')
  return { ...row, day }
}

/**
 * Refuses a session that is no longer open. "Already responded" takes precedence over "expired": a holder who responded in time and
 * tries again gets the former (WREQ-3, WRES-3).
 */
export async function requireOpen(ctx: Context, session: WalletSession): Promise<OpenSession> {
  if (session.responded)
    throw new Refusal('session_already_responded', 'A wallet has already responded to this verification.')
  // The seed is deleted soon after the session has expired, and never before.
  const { expired, seed } = session
  if (expired || seed === null) throw new Refusal('session_expired', 'This verification has expired.')
  return { ...session, seed, own_query: session.query !== null, ...(await loadQuery(ctx, session)) }
}

const readWalletSession = coalescePerTarget<
  Database,
  { day: string; id: string },
  WalletSessionRow | undefined
>({
  maxBatch: 64,
  maxWaiting: 2000,
  run: (db, keys) => readByDay(keys, (group, onDay) => readWalletSessions(db, group, onDay)),
})
