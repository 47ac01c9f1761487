import type { TemplateDetail } from '@vidimus/contract'
import type { NewAuditEntry } from '../audit/index.ts'
import type { Context } from '../engine/context.ts'
import { notFound } from '../engine/basics/index.ts'
import { assignTemplate } from '../trust/index.ts'
import { builtInTemplates } from './built-in.ts'
import { getTemplate } from './get.ts'
import { lockTemplates } from './store.ts'

type AssignRegistration = { by: NewAuditEntry['by']; key: string; registration_id: string | null }

/** Chooses the registration that a template, built-in or the tenant's own, is asked under; `null`: the default. */
export async function assignRegistration(
  ctx: Context,
  { by, key, registration_id }: AssignRegistration,
): Promise<TemplateDetail> {
  const { tenant_id } = by
  await ctx.db.transaction(async (tx) => {
    const exists =
      builtInTemplates.has(key) || (await lockTemplates(tx, { tenant_id, keys: [key] })).length > 0
    if (!exists) throw notFound('template_not_found')
    await assignTemplate(tx, { by, template: key, registration_id })
  })
  return getTemplate(ctx, tenant_id, key)
}
