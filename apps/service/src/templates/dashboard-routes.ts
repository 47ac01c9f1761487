import { dashboardRoutes as routes } from '@vidimus/contract'
import type { Context } from '../context.ts'
import { dashboardEndpoint, type DashboardEndpoint } from '../platform/http/endpoint.ts'
import { listTemplates } from './list.ts'

export function templateDashboardRoutes(ctx: Context): DashboardEndpoint[] {
  return [
    dashboardEndpoint(routes.listTemplates, async ({ member }) => ({
      body: { data: await listTemplates(ctx, member.tenant_id) },
    })),
  ]
}
