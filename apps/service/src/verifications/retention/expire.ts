import type { Context } from '../../engine/context.ts'
import { announceEvents } from '../../deliveries/index.ts'
import { declaredTables, dropPartition, partitionDays } from '../../engine/db/index.ts'
import { expireVerifications } from '../wallet/store.ts'
import { readToday } from '../store.ts'

const batch = 1000
const day_ms = 86_400_000
/**
 * Destroys the secrets of sessions that expired without a response (WREQ-7), and queues `verification.expired` for the endpoints
 * that ask for it (HOOK-16). Reads do not depend on it: an expired session reads `expired` at once.
 */
export async function expireSessions({ db }: Context): Promise<void> {
  let isComplete = false
  while (!isComplete) {
    const { expired, queued } = await expireVerifications(db, batch)
    if (queued > 0) announceEvents(db)
    isComplete = expired < batch
  }
}

/**
 * Drops the partitions whose retention is over: results on their purge day, idempotency keys once no replay can need them (IDEM-9),
 * requests once seven full days are over (LOG-2). A partition that is in use is dropped on the next run.
 */
export async function dropOldDays({ db }: Context): Promise<void> {
  const today = Date.parse(await readToday(db))
  for (const { name, daily } of declaredTables) {
    if (daily?.keep_days === undefined) continue
    const last = new Date(today - daily.keep_days * day_ms).toISOString().slice(0, 10)
    for (const day of await partitionDays(db, name)) {
      if (day <= last) await dropPartition(db, name, day)
    }
  }
}
