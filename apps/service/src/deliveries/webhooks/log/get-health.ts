import type { Environment } from '@vidimus/contract'
import type { Context } from '../../../engine/context.ts'
import { readHealth, hasDelivered, type WebhookHealth } from './log-store.ts'

/** Delivery statistics of a tenant in one environment. */
export async function getWebhookHealth(
  { db }: Pick<Context, 'db'>,
  scope: { tenant_id: string; environment: Environment },
): Promise<WebhookHealth & { ever_delivered: boolean }> {
  const health = await readHealth(db, scope)
  return { ...health, ever_delivered: health.delivered > 0 || (await hasDelivered(db, scope)) }
}
