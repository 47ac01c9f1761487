import type { Context } from '../../context.ts'
import { measureQueue } from '../store.ts'

/** For how many seconds the oldest event that is ready to be sent has been ready. */
export async function readWebhookLag({ db }: Pick<Context, 'db'>): Promise<number> {
  return (await measureQueue(db)).lag_seconds
}
