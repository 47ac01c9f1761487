import { dashboardRoutes as routes } from '@vidimus/contract'
import type { Context } from '../../context.ts'
import { dashboardEndpoint, type DashboardEndpoint } from '../../engine/http/endpoint.ts'
import { listRequests } from './list.ts'

export function requestLogRoutes(ctx: Context): DashboardEndpoint[] {
  return [
    dashboardEndpoint(routes.listRequests, async ({ member, params: { environment }, query }) => ({
      body: await listRequests(ctx, { tenant_id: member.tenant_id, environment }, query),
    })),
  ]
}
