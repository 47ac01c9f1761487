import type { SessionStatus, VerificationStatus } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { type Database, coalescePerTarget, groupByDay } from '../../engine/db/index.ts'
import { dayOfSessionId, notFound } from '../../engine/basics/index.ts'
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
