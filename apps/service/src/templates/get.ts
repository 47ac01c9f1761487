import type { TemplateDetail } from '@vidimus/contract'
import { isTemplate, type Template } from '@vidimus/protocol'
import type { Context } from '../engine/context.ts'
import { notFound } from '../engine/basics/index.ts'
import { describeTemplateRegistration } from '../trust/index.ts'
import { builtInTemplates } from './built-in.ts'
import { readVersion } from './read-version.ts'
import { resolveTemplate } from './resolve.ts'

/** The current version of a template: a built-in one, or the tenant's own. */
export async function getTemplate(ctx: Context, tenant_id: string, key: string): Promise<TemplateDetail> {
  const [template, registration] = await Promise.all([
    readTemplate(ctx, tenant_id, key),
    describeTemplateRegistration(ctx, { tenant_id, template: key }),
  ])
  const { name, description } = template
  return {
    key,
    name,
    description,
    built_in: builtInTemplates.has(key),
    template: { ...template },
    ...(registration !== undefined && { registration }),
  }
}

export async function readTemplate(ctx: Context, tenant_id: string, key: string): Promise<Template> {
  const version = await resolveTemplate(ctx, { tenant_id, key })
  const template = version === undefined ? undefined : await readVersion(ctx.db, version)
  if (!isTemplate(template)) throw notFound('template_not_found')
  return template
}
