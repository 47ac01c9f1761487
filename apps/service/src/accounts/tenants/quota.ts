import { type RecordOperation, appendAudit } from '../../audit/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { choosePlan } from '../plans/plans.ts'
import { findTenant, updatePlan, updateQuota } from './store.ts'

/** The number of verifications that a tenant may create per day: its own, or its plan's. */
export async function getDailyQuota(db: Db, tenantId: string): Promise<number> {
  const tenant = await findTenant(db, tenantId)
  if (tenant === undefined) throw new Error('the caller has no tenant')
  return tenant.daily_quota
}

/** `daily_quota` is null to return to the plan's. */
export type SetQuota = { tenant_id: string; daily_quota: number | null; record?: RecordOperation }

/** Gives a tenant its own daily quota, or its plan's again. It applies from the next creation on. */
export async function setQuota(
  { db }: Pick<Context, 'db'>,
  { tenant_id, daily_quota, record }: SetQuota,
): Promise<{ daily_quota: number }> {
  return db.transaction(async (tx) => {
    if (!(await updateQuota(tx, { id: tenant_id, own_quota: daily_quota }))) throw noTenant(tenant_id)
    const detail = { daily_quota: daily_quota ?? 'plan' }
    await appendAudit(tx, { action: 'tenant.quota_changed', by: { kind: 'operator', tenant_id }, detail })
    await record?.(tx, { tenant_id, ...detail })
    return { daily_quota: await getDailyQuota(tx, tenant_id) }
  })
}

export type SetTenantPlan = { tenant_id: string; plan: string; record?: RecordOperation }

/** Gives a tenant another plan. A quota of its own stays. What it has beyond the plan's limits stays too, and nothing can be added. */
export async function setTenantPlan(
  { db }: Pick<Context, 'db'>,
  { tenant_id, plan: name, record }: SetTenantPlan,
): Promise<{ daily_quota: number }> {
  return db.transaction(async (tx) => {
    const { name: plan } = await choosePlan(tx, name)
    if (!(await updatePlan(tx, { id: tenant_id, plan }))) throw noTenant(tenant_id)
    await appendAudit(tx, {
      action: 'tenant.plan_changed',
      by: { kind: 'operator', tenant_id },
      detail: { plan },
    })
    await record?.(tx, { tenant_id, plan })
    return { daily_quota: await getDailyQuota(tx, tenant_id) }
  })
}

function noTenant(tenant_id: string): Refusal {
  return new Refusal('not_found', `There is no tenant ${tenant_id}.`)
}
