import { webhookUrlEvents } from '@vidimus/contract'
import type { Db } from '../../engine/db/index.ts'
import {
  insertEndpointEvent,
  insertEndpointEvents,
  insertEvent,
  notifyWorkers,
} from './deliver/queue-store.ts'
import { type VerificationOutcome, hostFromUrl } from './event.ts'
import { offerToListeners } from './listen/listen.ts'

/** The minimum time between two announcements by a process. A busy worker polls about as often anyway. */
const interval_ms = 50

/** When this process last woke the workers of each database, and whether it is scheduled to do so again. */
const announcers = new WeakMap<Db, { last_ms: number; isScheduled: boolean }>()

/**
 * Wakes the workers after a transaction has queued events. It returns at once, and the notification may be lost: workers also poll. It
 * is not part of that transaction, because PostgreSQL commits transactions that notify one after the other, each with its flush to
 * disk: 780 a second instead of 18,500 on a slow disk.
 */
export function announceEvents(db: Db): void {
  const announcer = announcers.get(db) ?? { last_ms: Number.NEGATIVE_INFINITY, isScheduled: false }
  announcers.set(db, announcer)
  if (announcer.isScheduled) return
  announcer.isScheduled = true
  const announce = () => {
    announcer.isScheduled = false
    announcer.last_ms = performance.now()
    notifyWorkers(db).catch(() => {
      // The database is unavailable or was closed. The workers poll.
    })
  }
  const wait_ms = announcer.last_ms + interval_ms - performance.now()
  if (wait_ms <= 0) announce()
  else setTimeout(announce, wait_ms).unref()
}

/**
 * Queues an event for all of its receivers, in the transaction of its cause (HOOK-8): the verification's own URL, every enabled
 * endpoint that subscribes to it, and any `vidimus listen`. It replaces an expiry that was queued while the response was held back.
 * Returns whether a webhook was queued. The SQL functions that record a wallet's response or an expiry queue those events themselves.
 */
export async function queueEvent(tx: Db, event: VerificationOutcome, url: string | null): Promise<boolean> {
  const toUrl = url !== null && webhookUrlEvents.includes(event.event_type)
  if (toUrl) await queueForUrl(tx, event, url)
  await offerToListeners(tx, event)
  return (await insertEndpointEvents(tx, event)) || toUrl
}

/** Queues an event for the verification's own URL. One that was delivered before is sent again. */
export async function queueForUrl(tx: Db, event: VerificationOutcome, url: string): Promise<void> {
  await insertEvent(tx, event, { url, host: hostFromUrl(url) })
}

/** Queues an event again for one endpoint, even if it no longer subscribes to it. False if there is no such endpoint, or it is disabled. */
export async function queueForEndpoint(
  tx: Db,
  event: VerificationOutcome,
  endpoint_id: string,
): Promise<boolean> {
  return insertEndpointEvent(tx, event, endpoint_id)
}
