import type { TemplateDetail } from '@vidimus/contract'
import type { Context } from '../engine/context.ts'
import { type Member, Refusal } from '../engine/basics/index.ts'
import { getTemplate, readTemplate } from './get.ts'
import { putTemplate } from './put.ts'
import { resolveTemplate } from './resolve.ts'

/** Copies a template to an unused key. */
export async function duplicateTemplate(
  ctx: Context,
  by: Member,
  { from, key }: { from: string; key: string },
): Promise<TemplateDetail> {
  const template = await readTemplate(ctx, by.tenant_id, from)
  if ((await resolveTemplate(ctx, { tenant_id: by.tenant_id, key })) !== undefined)
    throw new Refusal('template_exists', `A template ${key} already exists.`)
  const copy = { ...template, name: `${template.name} (copy)` }
  const [violation] = await putTemplate(ctx, { key, template: copy, by })
  if (violation !== undefined) throw new Refusal('invalid_request', `${violation.place}: ${violation.rule}.`)
  return getTemplate(ctx, by.tenant_id, key)
}
