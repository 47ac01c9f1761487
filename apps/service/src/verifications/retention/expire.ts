import { announceEvents } from '../../deliveries/index.ts'
import type { Context } from '../../engine/context.ts'
import { type Db, declaredTables, dropPartition, partitionDays } from '../../engine/db/index.ts'
import { deleteOldRequests } from '../erasure-requests/store.ts'
import { readToday } from '../store.ts'
import { expireStored } from '../wallet/store.ts'
import { endOpen, forgetResults } from './store.ts'

const batch = 1000
const day_ms = 86_400_000
/**
 * Destroys the secrets of verifications that expired without a response (WREQ-7), and queues `verification.expired` for the endpoints
 * that ask for it. Reads do not depend on it: an expired verification reads `expired` at once.
 */
export async function expireVerifications({ db }: Context): Promise<void> {
  let isComplete = false
  while (!isComplete) {
    const { expired, queued } = await expireStored(db, batch)
    if (queued > 0) announceEvents(db)
    isComplete = expired < batch
  }
}

/** Ends every verification that waits for a response, as if its time were up, and returns how many. */
export async function endOpenVerifications({ db }: Pick<Context, 'db'>): Promise<number> {
  let total = 0
  for (let ended = batch; ended === batch; total += ended) ended = await endOpen(db, batch)
  return total
}

/**
 * Drops the partitions whose retention is over: results on their purge day, idempotency keys once no replay can need them,
 * requests once seven full days are over, verifications and deliveries as the settings say. A partition that is in use is dropped on the next run.
 */
export async function dropOldDays({ db, config }: Context): Promise<void> {
  const today = Date.parse(await readToday(db))
  const toDay = (days_ago: number) => new Date(today - days_ago * day_ms).toISOString().slice(0, 10)
  const gone = { last_day: toDay(config.VERIFICATION_RETENTION_DAYS), limit: batch }
  while ((await deleteOldRequests(db, gone)) === batch);
  for (const { name, daily } of declaredTables) {
    if (daily?.keep_days === undefined) continue
    const keep_days = typeof daily.keep_days === 'string' ? config[daily.keep_days] : daily.keep_days
    const last = toDay(keep_days)
    for (const day of await partitionDays(db, name)) {
      if (day <= last) await dropPartition(db, name, day)
    }
  }
}

/**
 * Deletes results that were to be kept only until delivered (RET-3): the last step of the transaction that delivered them. A later
 * resend carries no claims.
 */
export async function forgetDelivered(
  { ledger }: Pick<Context, 'ledger'>,
  tx: Db,
  verifications: readonly { day: string; id: string }[],
): Promise<void> {
  const forgotten = await forgetResults(tx, verifications)
  await ledger.record(
    tx,
    forgotten.map(({ day, id }) => ({ kind: 'result', day, id })),
  )
}
