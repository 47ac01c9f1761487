import type { AnyQuery, TemplateRules } from '@vidimus/protocol'
import type { Context } from '../../context.ts'
import { coalescePerTarget } from '../../platform/coalesce.ts'
import type { Database } from '../../platform/db/open.ts'
import { dayOfSessionId } from '../../platform/ids.ts'
import { Refusal, notFound } from '../../platform/refusal.ts'
import { readVersion } from '../../templates/read-version.ts'
import { readByDay } from '../read/read-by-day.ts'
import { readWalletSessions, type WalletSessionRow } from './store.ts'

/** A session as the wallet routes need it: still open, with its seed and its query. */
export type OpenSession = Omit<WalletSessionRow, 'seed' | 'query'> & {
  day: string
  seed: Buffer
  query: AnyQuery
  rules: TemplateRules
}

/**
 * The session that a wallet addresses. "Already responded" takes precedence over "expired": a holder who responded in time and
 * tries again gets the former (WREQ-3, WRES-3).
 */
export async function findOpenSession(ctx: Context, id: string): Promise<OpenSession> {
  const day = dayOfSessionId(id)
  const row = day === undefined ? undefined : await readWalletSession(ctx.db, { day, id })
  if (row === undefined || day === undefined) throw notFound('session_not_found')
  if (row.responded)
    throw new Refusal('session_already_responded', 'A wallet has already responded to this verification.')
  // The seed is deleted soon after the session has expired, and never before.
  if (row.expired || row.seed === null) throw new Refusal('session_expired', 'This verification has expired.')
  return { ...row, day, seed: row.seed, ...(await loadQuery(ctx, row)) }
}

async function loadQuery(
  ctx: Context,
  row: WalletSessionRow,
): Promise<{ query: AnyQuery; rules: TemplateRules }> {
  if (row.query !== null) return { query: row.query, rules: {} }
  const template = row.template_version === null ? undefined : await readVersion(ctx.db, row.template_version)
  if (template === undefined) throw new Error('A session has neither a query nor a template version.')
  const { claims, must, derive } = template
  return {
    query: template.query,
    rules: { ...(claims && { claims }), ...(must && { must }), ...(derive && { derive }) },
  }
}

const readWalletSession = coalescePerTarget<
  Database,
  { day: string; id: string },
  WalletSessionRow | undefined
>({
  maxBatch: 64,
  maxWaiting: 2000,
  run: (db, keys) => readByDay(keys, (day) => readWalletSessions(db, keys, day)),
})
