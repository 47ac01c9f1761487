import { dashboardRoutes as routes } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { type DashboardEndpoint, dashboardEndpoint } from '../../engine/http/index.ts'
import { listRequests } from './list-requests.ts'

export function requestLogRoutes(ctx: Context): DashboardEndpoint[] {
  return [
    dashboardEndpoint(routes.listRequests, async ({ member, params: { environment }, query }) => ({
      body: await listRequests(ctx, { tenant_id: member.tenant_id, environment }, query),
    })),
  ]
}
