import type { Db } from '../platform/db/open.ts'
import { hostFromUrl, type SessionOutcome, type WebhookEvent } from './event.ts'
import { insertEndpointEvent, insertEndpointEvents, insertEvent } from './deliver/enqueue-store.ts'

export type EnqueueWebhook = Omit<WebhookEvent, 'endpoint_id'> & Partial<Pick<SessionOutcome, 'event_type'>>

/** Queues the webhook of a session in the transaction that writes its result (HOOK-8). One that was delivered before is sent again. */
export async function enqueueWebhook(tx: Db, event: EnqueueWebhook): Promise<void> {
  await insertEvent(tx, { ...event, host: hostFromUrl(event.url) })
}

/**
 * Queues an outcome for every enabled endpoint that asks for it, in the transaction that publishes it. It replaces the expiry that
 * was queued while the response was held back. Returns whether there is such an endpoint.
 */
export async function enqueueForEndpoints(tx: Db, outcome: SessionOutcome): Promise<boolean> {
  return insertEndpointEvents(tx, outcome)
}

/** Queues an outcome again for one endpoint, whatever it asks for now. False if there is no such endpoint, or it is disabled. */
export async function enqueueForEndpoint(
  tx: Db,
  outcome: SessionOutcome,
  endpoint_id: string,
): Promise<boolean> {
  return insertEndpointEvent(tx, outcome, endpoint_id)
}
