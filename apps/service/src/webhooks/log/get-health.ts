import type { Environment } from '@vidimus/contract'
import type { Context } from '../../context.ts'
import { readHealth, hasDelivered, type WebhookHealth } from './health-store.ts'

/** How a tenant's deliveries do in an environment. */
export async function getWebhookHealth(
  { db }: Pick<Context, 'db'>,
  where: { tenant_id: string; environment: Environment },
): Promise<WebhookHealth & { ever_delivered: boolean }> {
  const health = await readHealth(db, where)
  return { ...health, ever_delivered: health.delivered > 0 || (await hasDelivered(db, where)) }
}
