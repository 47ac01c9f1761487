import type { Context } from '../../context.ts'
import { readDeliveries, type Delivery, type ListDeliveries } from '../store.ts'

export type { Delivery, ListDeliveries }

/**
 * A tenant's delivery log: every attempt that was made, newest first, a page at a time (HOOK-7). What was sent is not in
 * it; `showWebhook` renders that anew.
 */
export async function listDeliveries(
  { db }: Pick<Context, 'db'>,
  wanted: ListDeliveries,
): Promise<Delivery[]> {
  return readDeliveries(db, wanted)
}
