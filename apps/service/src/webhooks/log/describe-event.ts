import type { DeliveryDetail, Environment, Role } from '@vidimus/contract'
import type { Context } from '../../context.ts'
import { notFound } from '../../platform/refusal.ts'
import { deriveEventId } from '../compose.ts'
import { findQueuedEvent } from './health-store.ts'
import { maskUrl } from './mask-url.ts'
import { readDeliveries } from '../store.ts'
import { viewDelivery } from './view-delivery.ts'

export type DescribeEvent = {
  tenant_id: string
  environment: Environment
  session_id: string
  attempt: number
  /** Of whoever looks at it. */
  role: Role
}

/** An attempt with all others of its event, and what becomes of that. What it said, `showWebhook` renders anew. */
export async function describeEvent(
  { db, keyring }: Pick<Context, 'db' | 'keyring'>,
  { attempt, role, ...event }: DescribeEvent,
): Promise<Omit<DeliveryDetail, 'payload'>> {
  const attempts = (await readDeliveries(db, { ...event, limit: 100 })).map(viewDelivery)
  const delivery = attempts.find((each) => each.attempt === attempt)
  if (delivery === undefined) throw notFound('delivery_not_found')
  const waiting = await findQueuedEvent(db, event)
  const state =
    waiting === undefined ? (attempts[0]?.outcome === 'delivered' ? 'delivered' : 'exhausted') : 'waiting'
  return {
    delivery,
    attempts: attempts.toReversed(),
    event_id: deriveEventId(keyring, event.session_id),
    ...(waiting !== undefined && { url: maskUrl(waiting.url, role), next_attempt_at: waiting.due_at }),
    state: waiting?.sending === true ? 'sending' : state,
  }
}
