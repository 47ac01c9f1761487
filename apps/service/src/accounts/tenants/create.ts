import { type RecordOperation, appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { createWebhookSecrets } from '../webhook-secrets/create-secrets.ts'
import { resolveDailyQuota } from './quota.ts'
import { insertTenant } from './store.ts'

export type CreateTenant = {
  name: string
  plan?: string | undefined
  daily_quota?: number | undefined
  record?: RecordOperation
}
export type CreatedTenant = {
  tenant_id: string
  name: string
  daily_quota: number
  /** Signs in the test environment. */
  webhook_secret: string
  live_webhook_secret: string
}

/** Creates a tenant and the secrets that sign its webhooks in test and live, which are shown only once. */
export async function createTenant(
  ctx: Pick<Context, 'config' | 'db' | 'keyring'>,
  { name, plan, daily_quota, record }: CreateTenant,
): Promise<CreatedTenant> {
  const planName = plan ?? ctx.config.PLANS[0]?.name ?? ''
  if (!ctx.config.PLANS.some((each) => each.name === planName)) {
    const planNames = ctx.config.PLANS.map((each) => each.name).join(', ')
    throw new Refusal('invalid_request', `Unknown plan ${planName}. The plans are ${planNames}.`)
  }
  return ctx.db.transaction(async (tx) => {
    const tenant = await insertTenant(tx, { name, plan: planName, daily_quota: daily_quota ?? null })
    const secrets = await createWebhookSecrets(tx, ctx, tenant.id)
    await appendAudit(tx, {
      action: 'tenant.created',
      by: { kind: 'operator', tenant_id: tenant.id },
      detail: { plan: planName, daily_quota: resolveDailyQuota(ctx.config, tenant) },
    })
    await record?.(tx, { tenant_id: tenant.id, plan: planName })
    return {
      tenant_id: tenant.id,
      name,
      daily_quota: resolveDailyQuota(ctx.config, tenant),
      webhook_secret: secrets.test,
      live_webhook_secret: secrets.live,
    }
  })
}
