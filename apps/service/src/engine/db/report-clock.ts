import type { Context } from '../../engine/context.ts'
import { readClock } from './read-clock.ts'

export const reportClockInterval_ms = 15_000

/** Publishes how far the database's clock is ahead of this machine's, so that a primary whose clock is wrong is noticed. Nothing else depends on it. */
export async function reportClock({ db, metrics }: Pick<Context, 'db' | 'metrics'>): Promise<void> {
  const sent_ms = Date.now()
  const now = Date.parse(await readClock(db))
  // The database read its clock somewhere between the two moments.
  metrics.clockOffset.set((now - (sent_ms + Date.now()) / 2) / 1000)
}
