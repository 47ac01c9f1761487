import { type AlertEvent, viewAlert } from '../../../audit/index.ts'
import type { Context } from '../../../engine/context.ts'
import type { Db } from '../../../engine/db/index.ts'
import { hostFromUrl } from '../../webhooks/event.ts'
import { insertQueued, shareAlertUrl } from './store.ts'

/** The most events that may wait for a tenant's receiver. While the queue is full, further alerts are shown only in the dashboard. */
export const maxWaitingAlerts = 1000

/** Queues events for the tenant's alert webhook, if it has one. */
export async function enqueueAlertWebhooks(
  tx: Db,
  { keyring }: Pick<Context, 'keyring'>,
  tenant_id: string,
  events: readonly AlertEvent[],
): Promise<void> {
  const url = events.length === 0 ? undefined : await shareAlertUrl(tx, tenant_id)
  if (url === undefined) return
  const queued = events.map((event) => ({
    // The same on every attempt: an alert has one event for each stage and one when it is resolved.
    event_id: `evt_${keyring.mac('alert event', `${event.alert_id} ${event.type} ${event.stage}`).subarray(0, 16).toString('base64url')}`,
    payload: { type: `alert.${event.type}`, alert: viewEvent(event) },
  }))
  await insertQueued(tx, {
    tenant_id,
    url,
    host: hostFromUrl(url),
    events: queued,
    max_waiting: maxWaitingAlerts,
  })
}

/** The alert as it was when the event happened. */
function viewEvent(event: AlertEvent) {
  const resolved_at = event.type === 'resolved' ? event.resolved_at : null
  return viewAlert({ ...event, id: event.alert_id, resolved_at })
}
