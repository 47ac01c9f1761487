import type { Context } from '../../../engine/context.ts'
import { readDeliveries, type Delivery, type ListDeliveries } from './log-store.ts'

export type { Delivery, ListDeliveries }

/** How filters name the verifications' own `webhook_url` among the endpoints. */
export const verificationReceiver = 'session'

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
