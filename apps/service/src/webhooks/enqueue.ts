import type { Db } from '../platform/db/open.ts'
import { hostFromUrl, type WebhookEvent } from './event.ts'
import { insertEvent } from './deliver/queue-store.ts'

/** Queues the webhook of a session in the transaction that writes its result (HOOK-8). One that was delivered before is sent again. */
export async function enqueueWebhook(tx: Db, event: WebhookEvent): Promise<void> {
  await insertEvent(tx, { ...event, host: hostFromUrl(event.url) })
}
