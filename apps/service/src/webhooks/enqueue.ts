import type { Db } from '../platform/db/open.ts'
import type { WebhookEvent } from './event.ts'
import { insertEvent } from './store.ts'

/** Has a receiver told what became of a session, in the transaction of the result (HOOK-8). Once more when it was told before. */
export async function enqueueWebhook(tx: Db, event: WebhookEvent): Promise<void> {
  // The address was checked at creation; one that cannot be read now would be refused at delivery.
  await insertEvent(tx, { ...event, host: URL.parse(event.url)?.host ?? '' })
}
