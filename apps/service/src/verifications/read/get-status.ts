import type { VerificationStatus } from '@vidimus/contract'
import type { Context } from '../../context.ts'
import { coalescePerTarget } from '../../platform/coalesce.ts'
import type { Database } from '../../platform/db/open.ts'
import { dayOfSessionId } from '../../platform/ids.ts'
import { notFound } from '../../platform/refusal.ts'
import { readByDay } from './read-by-day.ts'
import { readStatuses, type StatusRow } from '../store.ts'

/** The status and nothing else, for anyone who knows the id. */
export async function getVerificationStatus(ctx: Context, id: string): Promise<VerificationStatus> {
  const day = dayOfSessionId(id)
  const row = day === undefined ? undefined : await readStatus(ctx.db, { day, id })
  if (row === undefined) throw notFound('session_not_found')
  return { id, status: row.status }
}

const readStatus = coalescePerTarget<Database, { day: string; id: string }, StatusRow | undefined>({
  maxBatch: 256,
  maxWaiting: 5000,
  run: (db, keys) => readByDay(keys, (day) => readStatuses(db, keys, day)),
})
