import { dashboardRoutes as routes } from '@vidimus/contract'
import { type DashboardEndpoint, dashboardEndpoint } from '../../engine/http/index.ts'
import type { TemplateContext } from '../../templates/index.ts'
import { changeLink, deleteLink } from './change-link.ts'
import { createLink } from './create-link.ts'
import { getLink, listLinks } from './list-links.ts'

export function linkDashboardRoutes(ctx: TemplateContext): DashboardEndpoint[] {
  return [
    dashboardEndpoint(routes.listLinks, async ({ member: { tenant_id }, params, query }) => ({
      body: await listLinks(ctx, { tenant_id, ...params, ...query }),
    })),
    dashboardEndpoint(routes.createLink, async ({ member: by, params, body }) => ({
      body: await createLink(ctx, { by, ...params, ...body }),
    })),
    dashboardEndpoint(routes.getLink, async ({ member: { tenant_id }, params }) => ({
      body: await getLink(ctx, { tenant_id, ...params }),
    })),
    dashboardEndpoint(routes.changeLink, async ({ member: by, params, body }) => ({
      body: await changeLink(ctx, { by, ...params, change: body }),
    })),
    dashboardEndpoint(routes.deleteLink, async ({ member: by, params }) => {
      await deleteLink(ctx, { by, ...params })
      return { body: {} }
    }),
  ]
}
