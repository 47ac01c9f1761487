import { type NewAuditEntry, type RecordOperation, appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { choosePlan } from '../plans/plans.ts'
import { createWebhookSecrets } from '../webhook-secrets/create-secrets.ts'
import { type Approval, insertTenant } from './store.ts'

export type CreateTenant = {
  name: string
  plan?: string | undefined
  daily_quota?: number | undefined
  /** What the operator's own systems call it. There is one tenant for each. */
  external_id?: string | undefined
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
  ctx: Pick<Context, 'db' | 'keyring'>,
  tenant: Omit<CreateTenant, 'external_id'>,
): Promise<CreatedTenant> {
  const created = await createTenantOnce(ctx, tenant)
  if (created === undefined) throw new Error('a tenant without an external id was not created')
  return created
}

/** The same, once for each external id. Undefined if there is a tenant with it. */
export async function createTenantOnce(
  ctx: Pick<Context, 'db' | 'keyring'>,
  tenant: CreateTenant,
): Promise<CreatedTenant | undefined> {
  return ctx.db.transaction((tx) => openTenant(tx, ctx, { ...tenant, by: 'operator', approval: 'approved' }))
}

type OpenTenant = CreateTenant & {
  /** Its id, if it was promised before. */
  id?: string
  by: Extract<NewAuditEntry['by']['kind'], 'operator' | 'service'>
  approval: Approval
}

/** The same within the caller's transaction, also for a tenant that signs up by itself. */
export async function openTenant(
  tx: Db,
  ctx: Pick<Context, 'keyring'>,
  { id, name, plan, daily_quota, external_id, record, by, approval }: OpenTenant,
): Promise<CreatedTenant | undefined> {
  const { name: planName, ...allowed } = await choosePlan(tx, plan)
  const quota = daily_quota ?? allowed.daily_quota
  const tenant_id = await insertTenant(tx, {
    id,
    name,
    plan: planName,
    own_quota: daily_quota ?? null,
    external_id: external_id ?? null,
    approval,
  })
  if (tenant_id === undefined) return undefined
  const secrets = await createWebhookSecrets(tx, ctx, tenant_id)
  await appendAudit(tx, {
    action: 'tenant.created',
    by: { kind: by, tenant_id },
    detail: { plan: planName, daily_quota: quota, ...(approval !== 'approved' && { approval }) },
  })
  await record?.(tx, { tenant_id, plan: planName })
  return {
    tenant_id,
    name,
    daily_quota: quota,
    webhook_secret: secrets.test,
    live_webhook_secret: secrets.live,
  }
}
