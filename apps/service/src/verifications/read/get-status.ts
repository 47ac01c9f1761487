import type { SessionStatus, VerificationStatus } from '@vidimus/contract'
import type { Context } from '../../context.ts'
import { coalescePerTarget } from '../../engine/db/coalesce.ts'
import { groupByDay } from '../../engine/db/group-by-day.ts'
import type { Database } from '../../engine/db/open.ts'
import { dayOfSessionId } from '../../engine/basics/ids.ts'
import { notFound } from '../../engine/basics/refusal.ts'
import { readStatuses } from '../store.ts'

type SessionId = { day: string; id: string }

/** The status and nothing else, for anyone who knows the id. */
export async function getVerificationStatus(ctx: Context, id: string): Promise<VerificationStatus> {
  const day = dayOfSessionId(id)
  const status = day === undefined ? undefined : await readStatus(ctx.db, { day, id })
  if (status === undefined) throw notFound('session_not_found')
  return { id, status }
}

const readStatus = coalescePerTarget<Database, SessionId, SessionStatus | undefined>({
  maxBatch: 256,
  maxWaiting: 5000,
  run: readEach,
})

async function readEach(db: Database, keys: SessionId[]): Promise<(SessionStatus | undefined)[]> {
  const found = new Map<string, SessionStatus>()
  // Several pages may poll one session.
  const distinct = new Map(keys.map((key) => [key.id, key]))
  for (const group of groupByDay([...distinct.values()]))
    for (const { id, status } of await readStatuses(db, group.keys, group.onDay)) found.set(id, status)
  return keys.map(({ id }) => found.get(id))
}
