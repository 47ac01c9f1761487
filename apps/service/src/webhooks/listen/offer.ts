import type { Db } from '../../platform/db/open.ts'
import type { WebhookEvent } from '../event.ts'
import { insertForwards } from './store.ts'

/** Offers an outcome of the test environment to everyone who listens, in the transaction that makes it known. */
export async function offerToListeners(tx: Db, event: Omit<WebhookEvent, 'url'>): Promise<void> {
  if (event.environment === 'test') await insertForwards(tx, event)
}
