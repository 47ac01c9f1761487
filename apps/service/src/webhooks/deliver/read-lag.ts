import type { Context } from '../../context.ts'
import { measureQueue } from './queue-store.ts'

/** How long the oldest ready event has been ready, in seconds. */
export async function readWebhookLag({ db }: Pick<Context, 'db'>): Promise<number> {
  return (await measureQueue(db)).lag_seconds
}
