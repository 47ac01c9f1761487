import type { Context } from '../../context.ts'
import { dropPartition, partitionDays } from '../../platform/db/schema/partitions.ts'
import { sweepSeeds } from '../wallet/store.ts'
import { readToday } from '../store.ts'

const batch = 1000
const day_ms = 86_400_000
/** Days after which a partition goes: results on the day they are due, keys once no replay can want them (IDEM-9). */
const retention_days = {
  verification_results: 0,
  idempotency_keys: 2,
  verification_sessions: 400,
  webhook_deliveries: 400,
  webhook_forwards: 30,
}

/** Destroys the secrets of sessions that lapsed without an answer (WREQ-7). No read waits for it: a lapsed session reads so. */
export async function expireSessions({ db }: Context): Promise<void> {
  while ((await sweepSeeds(db, batch)) === batch);
}

/** Drops the days that nothing may be read from any more. A day in use now is dropped the next time. */
export async function dropOldDays({ db }: Context): Promise<void> {
  const today = Date.parse(await readToday(db))
  for (const [table, days] of Object.entries(retention_days)) {
    const last = new Date(today - days * day_ms).toISOString().slice(0, 10)
    for (const day of await partitionDays(db, table)) {
      if (day <= last) await dropPartition(db, table, day)
    }
  }
}
