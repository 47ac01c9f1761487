import { type RecordOperation, appendAudit } from '../../audit/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { type Config, type PlanLimits, defaultPlanLimits } from '../../engine/config/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { findTenant, lockPlan, updateQuota } from './store.ts'

/** The number of verifications that a tenant may create per day. */
export async function getDailyQuota({ config, db }: Context, tenantId: string): Promise<number> {
  const tenant = await findTenant(db, tenantId)
  if (tenant === undefined) throw new Error('the caller has no tenant')
  return resolveDailyQuota(config, tenant)
}

/** A tenant's daily quota: its own, or its plan's. A plan that is no longer configured is treated as the default plan. */
export function resolveDailyQuota(
  { PLANS }: Pick<Config, 'PLANS'>,
  { plan, daily_quota }: { plan: string; daily_quota: number | null },
): number {
  const found = PLANS.find(({ name }) => name === plan) ?? PLANS[0]
  return daily_quota ?? found?.daily_quota ?? 0
}

type SetQuota = { tenant_id: string; daily_quota: number; record?: RecordOperation }

/** Gives a tenant its own daily quota instead of its plan's. It applies from the next creation on. */
export async function setQuota(
  { db }: Pick<Context, 'db'>,
  { tenant_id, daily_quota, record }: SetQuota,
): Promise<void> {
  await db.transaction(async (tx) => {
    const tenant = await updateQuota(tx, { id: tenant_id, daily_quota })
    if (tenant === undefined) throw new Refusal('not_found', `There is no tenant ${tenant_id}.`)
    await appendAudit(tx, {
      action: 'tenant.quota_changed',
      by: { kind: 'operator', tenant_id },
      detail: { daily_quota },
    })
    await record?.(tx, { tenant_id, daily_quota })
  })
}

/**
 * The limits of a tenant's plan. Locks the tenant until the transaction ends, so that of two concurrent creations only one
 * can take the last place. Undefined if the tenant does not exist.
 */
export async function lockPlanLimits(
  { config }: Pick<Context, 'config'>,
  tx: Db,
  tenant_id: string,
): Promise<PlanLimits | undefined> {
  const plan = await lockPlan(tx, tenant_id)
  return plan === undefined ? undefined : planLimits(config, plan)
}

/** A plan that is no longer configured is treated as the default plan, as for the daily quota. */
function planLimits({ PLANS, PLAN_LIMITS }: Pick<Config, 'PLANS' | 'PLAN_LIMITS'>, plan: string): PlanLimits {
  const known = PLANS.some(({ name }) => name === plan) ? plan : (PLANS[0]?.name ?? '')
  return PLAN_LIMITS[known] ?? defaultPlanLimits.growth
}
