import type { DeliveryAttempt as View } from '@vidimus/contract'
import type { Delivery } from './delivery-store.ts'

export function viewDelivery(row: Delivery): View {
  const { session_id, attempt, attempted_at, outcome } = row
  return {
    verification_id: session_id,
    attempt,
    attempted_at,
    outcome,
    ...(row.status !== null && { status: row.status }),
    ...(row.duration_ms !== null && { duration_ms: row.duration_ms }),
    ...(row.error !== null && { error: row.error }),
  }
}
