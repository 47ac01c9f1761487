import { type OperatorTenantDetail, operatorMay, operatorRoutes as routes } from '@vidimus/contract'
import {
  deleteTenantLater,
  getTenantDetail,
  keepTenant,
  listOperatedTenants,
  listPlans,
  removePlan,
  setPlan,
  setQuota,
  setTenantPlan,
} from '../accounts/index.ts'
import { byOperator, installationChain, listAudit, recordsAs } from '../audit/index.ts'
import type { OperatorPrincipal } from '../engine/basics/index.ts'
import type { Context } from '../engine/context.ts'
import { type OperatorEndpoint, operatorEndpoint } from '../engine/http/index.ts'
import { createForOperator, inviteOwner } from './create-for-operator.ts'
import { listAttention } from './tenant-attention.ts'
import { changeTenantState } from './tenant-state.ts'

const maxShownOperations = 20

/** Tenants and plans, as commands have them. */
export function operatorTenantRoutes(ctx: Context): OperatorEndpoint[] {
  const show = async (id: string, operator: OperatorPrincipal): Promise<{ body: OperatorTenantDetail }> => ({
    body: { ...(await getTenantDetail(ctx, id)), ...(await listOperations(ctx, id, operator)) },
  })
  const changeState = async (
    { operator, params: { id } }: { operator: OperatorPrincipal; params: { id: string } },
    change: { state: 'active' | 'suspended' | 'closed'; reason?: string | undefined; end_open?: boolean },
  ) => {
    const { reason, ...to } = change
    await changeTenantState(ctx, { tenant_id: id, operator: byOperator(operator, reason), ...to })
    return show(id, operator)
  }

  return [
    operatorEndpoint(routes.listTenants, async ({ query }) => ({
      body: await listOperatedTenants(ctx, query),
    })),
    operatorEndpoint(routes.listAttention, async () => ({ body: await listAttention(ctx) })),
    operatorEndpoint(routes.createTenant, async ({ operator, body }) => ({
      body: await createForOperator(ctx, operator, body),
    })),
    operatorEndpoint(routes.getTenant, ({ operator, params }) => show(params.id, operator)),
    operatorEndpoint(routes.inviteOwner, async ({ operator, params, body }) => ({
      body: await inviteOwner(ctx, operator, { tenant_id: params.id, ...body }),
    })),
    operatorEndpoint(routes.setTenantPlan, async ({ operator, params, body: { plan, reason } }) => {
      const record = recordsAs('installation.tenant_plan_changed', byOperator(operator, reason))
      await setTenantPlan(ctx, { tenant_id: params.id, plan, record })
      return show(params.id, operator)
    }),
    operatorEndpoint(routes.setTenantQuota, async ({ operator, params, body: { daily_quota, reason } }) => {
      const record = recordsAs('installation.tenant_quota_changed', byOperator(operator, reason))
      await setQuota(ctx, { tenant_id: params.id, daily_quota, record })
      return show(params.id, operator)
    }),
    operatorEndpoint(routes.suspendTenant, (call) => changeState(call, { state: 'suspended', ...call.body })),
    operatorEndpoint(routes.resumeTenant, (call) => changeState(call, { state: 'active', ...call.body })),
    operatorEndpoint(routes.closeTenant, (call) => changeState(call, { state: 'closed', ...call.body })),
    operatorEndpoint(routes.deleteTenant, async ({ operator, params, body: { name, reason } }) => {
      await deleteTenantLater(ctx, { tenant_id: params.id, name, operator: byOperator(operator, reason) })
      return show(params.id, operator)
    }),
    operatorEndpoint(routes.keepTenant, async ({ operator, params }) => {
      await keepTenant(ctx, { tenant_id: params.id, operator: byOperator(operator) })
      return show(params.id, operator)
    }),
    operatorEndpoint(routes.listPlans, async () => ({ body: { data: await listPlans(ctx) } })),
    operatorEndpoint(routes.setPlan, async ({ operator, params, body: { reason, ...values } }) => {
      const record = recordsAs('installation.plan_changed', byOperator(operator, reason))
      return { body: await setPlan(ctx, { name: params.name, ...values, record }) }
    }),
    operatorEndpoint(routes.removePlan, async ({ operator, params }) => {
      const record = recordsAs('installation.plan_changed', byOperator(operator))
      await removePlan(ctx, { name: params.name, record })
      return { body: { data: await listPlans(ctx) } }
    }),
  ]
}

/** What operators did to a tenant, for who may read the log. */
async function listOperations(
  ctx: Pick<Context, 'db'>,
  tenant_id: string,
  { role }: OperatorPrincipal,
): Promise<Pick<OperatorTenantDetail, 'operations'>> {
  if (!operatorMay(role, 'read_log')) return {}
  const filter = { tenant_id: installationChain, subject: tenant_id, limit: maxShownOperations }
  const { data } = await listAudit(ctx, filter)
  return {
    operations: data.map(({ at, action, actor_name, purpose, detail }) => ({
      at,
      action,
      ...(actor_name !== undefined && { operator: actor_name }),
      ...(purpose !== undefined && { reason: purpose }),
      ...(detail !== undefined && { detail }),
    })),
  }
}
