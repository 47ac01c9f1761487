import type { Context } from '../../engine/context.ts'
import { advanceResends, announceEvents } from '../../deliveries/index.ts'
import { enqueueAgain } from './resend-webhook.ts'

/** Advances every open request to resend what failed, some events each. What was erased or cannot be sent is passed over. */
export async function resendFailedEvents({ db }: Pick<Context, 'db'>): Promise<boolean> {
  const queued = await advanceResends(db, async (tx, event) => (await enqueueAgain(tx, event)) === undefined)
  if (queued > 0) announceEvents(db)
  return queued > 0
}
