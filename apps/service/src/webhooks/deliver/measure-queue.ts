import type { Context } from '../../context.ts'
import { measureQueue } from '../store.ts'

/** Shows what the queue holds and how far deliveries are behind. Every worker shows the same. */
export async function reportQueueMetrics({ db, metrics }: Pick<Context, 'db' | 'metrics'>): Promise<void> {
  const { ready, waiting, leased, lag_seconds } = await measureQueue(db)
  metrics.webhookQueue.set({ state: 'ready' }, ready)
  metrics.webhookQueue.set({ state: 'waiting' }, waiting)
  metrics.webhookQueue.set({ state: 'leased' }, leased)
  metrics.webhookLag.set(lag_seconds)
}
