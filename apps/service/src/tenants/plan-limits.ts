import { defaultPlanLimits, type Config, type PlanLimits } from '../config.ts'
import type { Context } from '../context.ts'
import type { Db } from '../platform/db/open.ts'
import { lockPlan } from './store.ts'

/**
 * How much of each thing a tenant may have, by its plan. Creations of one tenant that count something take turns from here
 * until their transactions end, so that two cannot both take the last place. Undefined when there is no such tenant.
 */
export async function lockPlanLimits(
  { config }: Pick<Context, 'config'>,
  tx: Db,
  tenant_id: string,
): Promise<PlanLimits | undefined> {
  const plan = await lockPlan(tx, tenant_id)
  return plan === undefined ? undefined : planLimits(config, plan)
}

/** A plan that is no longer configured counts as the default one, as for the daily quota. */
function planLimits({ PLANS, PLAN_LIMITS }: Pick<Config, 'PLANS' | 'PLAN_LIMITS'>, plan: string): PlanLimits {
  const known = PLANS.some(({ name }) => name === plan) ? plan : (PLANS[0]?.name ?? '')
  return PLAN_LIMITS[known] ?? defaultPlanLimits.growth
}
