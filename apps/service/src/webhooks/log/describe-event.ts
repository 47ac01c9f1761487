import type { DeliveryDetail, Environment, Role } from '@vidimus/contract'
import type { Context } from '../../context.ts'
import { notFound } from '../../platform/refusal.ts'
import { deriveEventId } from '../compose.ts'
import { findQueuedEvent } from './health-store.ts'
import { maskUrl } from './mask-url.ts'
import { readDeliveries } from './delivery-store.ts'
import { viewDelivery } from './view-delivery.ts'

export type DescribeEvent = {
  tenant_id: string
  environment: Environment
  session_id: string
  attempt: number
  /** The role of the member who reads it. */
  role: Role
}

/** An attempt, the other attempts of its event, and the event's state. The payload is not stored; `showWebhook` renders it again. */
export async function describeEvent(
  { db, keyring }: Pick<Context, 'db' | 'keyring'>,
  { attempt, role, ...event }: DescribeEvent,
): Promise<Omit<DeliveryDetail, 'payload'>> {
  const attempts = (await readDeliveries(db, { ...event, limit: 100 })).map(viewDelivery)
  const delivery = attempts.find((each) => each.attempt === attempt)
  if (delivery === undefined) throw notFound('delivery_not_found')
  const queued = await findQueuedEvent(db, event)
  const state =
    queued === undefined ? (attempts[0]?.outcome === 'delivered' ? 'delivered' : 'exhausted') : 'waiting'
  return {
    delivery,
    attempts: attempts.toReversed(),
    event_id: deriveEventId(keyring, event.session_id),
    ...(queued !== undefined && { url: maskUrl(queued.url, role), next_attempt_at: queued.due_at }),
    state: queued?.sending === true ? 'sending' : state,
  }
}
