import { dashboardRoutes as routes } from '@vidimus/contract'
import type { Context } from '../context.ts'
import { dashboardEndpoint, type DashboardEndpoint } from '../platform/http/endpoint.ts'
import { duplicateTemplate } from './duplicate.ts'
import { getTemplate } from './get.ts'
import { lintTemplate, toLint } from './lint.ts'
import { listTemplates } from './list.ts'
import { putTemplate } from './put.ts'

export function templateDashboardRoutes(ctx: Context): DashboardEndpoint[] {
  return [
    dashboardEndpoint(routes.listTemplates, async ({ member }) => ({
      body: { data: await listTemplates(ctx, member.tenant_id) },
    })),
    dashboardEndpoint(routes.getTemplate, async ({ member, params }) => ({
      body: await getTemplate(ctx, member.tenant_id, params.key),
    })),
    dashboardEndpoint(routes.putTemplate, async ({ member, params, body }) => {
      const violations = await putTemplate(ctx, { ...params, ...body, by: member })
      const saved = violations.length === 0
      return { body: { saved, lints: saved ? lintTemplate(body.template) : violations.map(toLint) } }
    }),
    dashboardEndpoint(routes.duplicateTemplate, async ({ member, params, body }) => ({
      body: await duplicateTemplate(ctx, member, { from: params.key, ...body }),
    })),
    dashboardEndpoint(routes.lintTemplate, async ({ body }) => ({
      body: { data: lintTemplate(body.template) },
    })),
  ]
}
