import type { DeliveryEvent, Role } from '@vidimus/contract'
import type { Context } from '../../../engine/context.ts'
import { eventKey } from '../event.ts'
import {
  readAttemptsOfEvents,
  readDeliveries,
  readLatestOfEvents,
  readQueuedEvents,
  type Delivery,
  type ListDeliveries,
} from './log-store.ts'
import { toFinalState, viewDelivery } from './view-delivery.ts'

export type { Delivery, ListDeliveries }

/** How filters name the verifications' own `webhook_url` among the endpoints. */
export const verificationReceiver = 'session'

/** How many attempts of an event the list has. Its page has up to 100. */
export const maxAttemptsInList = 20

/**
 * A tenant's delivery log: every attempt, newest first, one page at a time (HOOK-7). It does not contain payloads;
 * `showWebhook` renders them again.
 */
export async function listDeliveries(
  { db }: Pick<Context, 'db'>,
  filter: ListDeliveries,
): Promise<Delivery[]> {
  return readDeliveries(db, filter)
}

/** The same log by event: what is filtered and paged is the latest attempt of each (HOOK-7). */
export async function listEvents(
  { db }: Pick<Context, 'db'>,
  filter: ListDeliveries,
  role: Role,
): Promise<DeliveryEvent[]> {
  const events = await readLatestOfEvents(db, filter)
  if (events.length === 0) return []
  const { tenant_id } = filter
  const [attempts, queued] = await Promise.all([
    readAttemptsOfEvents(db, { tenant_id, events, limit: maxAttemptsInList }),
    readQueuedEvents(db, { tenant_id, events }),
  ])
  const attemptsByEvent = Map.groupBy(attempts, eventKey)
  const queuedByEvent = new Map(queued.map((each) => [eventKey(each), each]))
  return events.map((event) => {
    const key = eventKey(event)
    const next = queuedByEvent.get(key)
    return {
      ...viewDelivery(event, role),
      state: next === undefined ? toFinalState(event.outcome) : next.sending ? 'sending' : 'waiting',
      ...(next !== undefined && { next_attempt_at: next.due_at }),
      attempts: (attemptsByEvent.get(key) ?? []).map((each) => {
        const { attempt, attempted_at, outcome, status, duration_ms, error } = viewDelivery(each, role)
        return {
          attempt,
          attempted_at,
          outcome,
          ...(status !== undefined && { status }),
          ...(duration_ms !== undefined && { duration_ms }),
          ...(error !== undefined && { error }),
        }
      }),
    }
  })
}
