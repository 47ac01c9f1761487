import type { Db } from '../platform/db/open.ts'
import { hostFromUrl, type WebhookEvent } from './event.ts'
import { insertEvent } from './store.ts'

/** Has a receiver told what became of a session, in the transaction of the result (HOOK-8). Once more when it was told before. */
export async function enqueueWebhook(tx: Db, event: WebhookEvent): Promise<void> {
  await insertEvent(tx, { ...event, host: hostFromUrl(event.url) })
}
