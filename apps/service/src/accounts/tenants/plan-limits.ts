import { type Config, type PlanLimits, defaultPlanLimits } from '../../engine/config/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { lockPlan } from './store.ts'

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
