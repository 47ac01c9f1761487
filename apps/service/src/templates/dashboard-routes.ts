import { dashboardRoutes as routes } from '@vidimus/contract'
import type { Violation } from '@vidimus/protocol'
import { Refusal } from '../engine/basics/index.ts'
import { type DashboardEndpoint, dashboardEndpoint } from '../engine/http/index.ts'
import { selectRegistration } from '../trust/index.ts'
import { assignRegistration, lintRegistration, lintTemplate, toLint } from './lint.ts'
import { duplicateTemplate, putTemplate } from './put-template.ts'
import { getTemplate, listTemplates } from './list-templates.ts'
import type { TemplateContext } from './open-built-in.ts'

export function templateDashboardRoutes(ctx: TemplateContext): DashboardEndpoint[] {
  return [
    dashboardEndpoint(routes.listTemplates, async ({ member }) => ({
      body: { data: await listTemplates(ctx, member.tenant_id) },
    })),
    dashboardEndpoint(routes.getTemplate, async ({ member, params }) => ({
      body: await getTemplate(ctx, member.tenant_id, params.key),
    })),
    dashboardEndpoint(routes.putTemplate, async ({ member, params, body }) => {
      const violations = await putTemplate(ctx, { ...params, ...body, by: member })
      if (violations.length > 0 && member.kind === 'key') throw invalidTemplate(violations)
      if (violations.length > 0) return { body: { saved: false, lints: violations.map(toLint) } }
      const { tenant_id } = member
      const selected = await selectRegistration(ctx, { tenant_id, template: params.key })
      const outside = await lintRegistration(ctx, body.template, { tenant_id, id: selected?.id })
      return { body: { saved: true, lints: [...lintTemplate(body.template), ...outside] } }
    }),
    dashboardEndpoint(routes.duplicateTemplate, async ({ member, params, body }) => ({
      body: await duplicateTemplate(ctx, member, { from: params.key, ...body }),
    })),
    dashboardEndpoint(routes.lintTemplate, async ({ member: { tenant_id }, body }) => {
      const id = body.registration_id ?? undefined
      const outside = await lintRegistration(ctx, body.template, { tenant_id, id })
      return { body: { data: [...lintTemplate(body.template), ...outside] } }
    }),
    dashboardEndpoint(routes.assignRegistration, async ({ member, params, body }) => ({
      body: await assignRegistration(ctx, { by: member, ...params, ...body }),
    })),
  ]
}

const maxNamed = 5

/** The editor of the dashboard shows each problem in its place; a program gets an error. */
function invalidTemplate(violations: readonly Violation[]): Refusal {
  const named = violations.slice(0, maxNamed).map(({ place, rule }) => `${place}: ${rule}.`)
  return new Refusal('invalid_template', `The template is not valid. ${named.join(' ')}`)
}
