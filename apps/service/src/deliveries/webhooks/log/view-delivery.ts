import type { DeliveryAttempt as View, DeliveryEvent, Role } from '@vidimus/contract'
import type { Delivery } from './log-store.ts'
import { maskUrl } from './mask-url.ts'

/** An attempt as a member with this role may see it. */
export function viewDelivery(row: Delivery, role: Role): View {
  const { verification_id, endpoint_id, attempt, attempted_at, outcome } = row
  return {
    verification_id: verification_id,
    attempt,
    attempted_at,
    outcome,
    ...(row.status !== null && { status: row.status }),
    ...(row.duration_ms !== null && { duration_ms: row.duration_ms }),
    ...(row.error !== null && { error: row.error }),
    ...(endpoint_id !== '' && { endpoint_id }),
    ...(row.url !== null && { url: maskUrl(row.url, role) }),
    ...(row.event_type !== null && { event_type: row.event_type }),
  }
}

/** The state of an event that is no longer in the queue, by its last attempt. */
export function toFinalState(last: Delivery['outcome'] | undefined): DeliveryEvent['state'] {
  return last === 'delivered' || last === 'unknown' ? last : 'exhausted'
}
