import type { Db } from '../../../engine/db/index.ts'
import type { SessionOutcome } from '../event.ts'
import { insertForwards } from './store.ts'

/** Queues a test outcome for the tenant's listeners, in the transaction that publishes it. */
export async function offerToListeners(tx: Db, event: SessionOutcome): Promise<void> {
  if (event.environment === 'test') await insertForwards(tx, event)
}
