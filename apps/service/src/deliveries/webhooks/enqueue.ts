import { webhookUrlEvents } from '@vidimus/contract'
import type { Db } from '../../engine/db/index.ts'
import { insertEndpointEvent, insertEndpointEvents, insertEvent } from './deliver/enqueue-store.ts'
import { hostFromUrl, type SessionOutcome } from './event.ts'
import { offerToListeners } from './listen/offer.ts'

/**
 * Queues an event for everyone who gets it, in the transaction of its cause (HOOK-8): the session's own URL, every enabled
 * endpoint that asks for it, and any `vidimus listen`. It replaces the expiry that was queued while the response was held back. Returns
 * whether a webhook was queued. A wallet's response and an expiry are queued by the SQL functions that record them.
 */
export async function queueEvent(tx: Db, event: SessionOutcome, url: string | null): Promise<boolean> {
  const toUrl = url !== null && webhookUrlEvents.includes(event.event_type)
  if (toUrl) await queueForUrl(tx, event, url)
  await offerToListeners(tx, event)
  return (await insertEndpointEvents(tx, event)) || toUrl
}

/** Queues an event for the session's own URL. One that was delivered before is sent again. */
export async function queueForUrl(tx: Db, event: SessionOutcome, url: string): Promise<void> {
  await insertEvent(tx, event, { url, host: hostFromUrl(url) })
}

/** Queues an event again for one endpoint, whatever it asks for now. False if there is no such endpoint, or it is disabled. */
export async function queueForEndpoint(tx: Db, event: SessionOutcome, endpoint_id: string): Promise<boolean> {
  return insertEndpointEvent(tx, event, endpoint_id)
}
