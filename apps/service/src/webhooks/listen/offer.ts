import type { Db } from '../../platform/db/open.ts'
import type { WebhookEvent } from '../event.ts'
import { insertForwards } from './store.ts'

/** Has whoever listens told what became of a test session, in the transaction of the result. Nobody may be listening. */
export async function offerToListeners(
  tx: Db,
  { environment, ...session }: Pick<WebhookEvent, 'session_id' | 'session_day' | 'tenant_id' | 'environment'>,
): Promise<void> {
  if (environment === 'test') await insertForwards(tx, session)
}
