import type { Context } from '../../../engine/context.ts'
import { measureQueue } from './queue-store.ts'

/** Publishes the size and the lag of the queue. Every worker reports the same values. */
export async function reportQueueMetrics({ db, metrics }: Pick<Context, 'db' | 'metrics'>): Promise<void> {
  const { ready, waiting, leased, lag_seconds } = await measureQueue(db)
  metrics.webhookQueue.set({ state: 'ready' }, ready)
  metrics.webhookQueue.set({ state: 'waiting' }, waiting)
  metrics.webhookQueue.set({ state: 'leased' }, leased)
  metrics.webhookLag.set(lag_seconds)
}

/** How long the oldest ready event has been ready, in seconds. */
export async function readWebhookLag({ db }: Pick<Context, 'db'>): Promise<number> {
  return (await measureQueue(db)).lag_seconds
}
