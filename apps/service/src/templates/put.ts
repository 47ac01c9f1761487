import { checkTemplate, isTemplate, type Violation } from '@vidimus/protocol'
import { type NewAuditEntry, appendAudit } from '../audit/index.ts'
import type { Context } from '../engine/context.ts'
import { Refusal } from '../engine/basics/index.ts'
import { lockPlanLimits } from '../accounts/index.ts'
import type { Db } from '../engine/db/index.ts'
import { builtInTemplates } from './built-in.ts'
import { countTemplates, insertVersions, putTemplate as storeTemplate } from './store.ts'
import { toTemplateVersion } from './version.ts'

export type PutTemplate = { key: string; template: unknown; by: NewAuditEntry['by'] }

const maxKey_characters = 64

/**
 * Creates or changes a tenant's template; sessions that were created with the previous version keep it. If the template is
 * invalid, returns its violations and changes nothing.
 */
export async function putTemplate(ctx: Context, { key, template, by }: PutTemplate): Promise<Violation[]> {
  const violations = [...checkKey(key), ...checkTemplate(template)]
  if (violations.length > 0 || !isTemplate(template)) return violations
  const version = toTemplateVersion(template)
  await ctx.db.transaction(async (tx) => {
    if (by.kind !== 'operator') await checkPlanLimit(ctx, tx, { tenant_id: by.tenant_id, key })
    await insertVersions(tx, [version])
    await storeTemplate(tx, { tenant_id: by.tenant_id, key, version: version.hash })
    await appendAudit(tx, { action: 'template.put', by, subject: key })
  })
  return []
}

/** A tenant's template may not use the key of a built-in one (CREATE-3). */
function checkKey(key: string): Violation[] {
  const length = Array.from(key).length
  if (length < 1 || length > maxKey_characters || !key.isWellFormed() || key.includes('\0')) {
    return [{ place: 'key', rule: `must be text of 1-${maxKey_characters} characters` }]
  }
  return builtInTemplates.has(key) ? [{ place: 'key', rule: 'belongs to a built-in template' }] : []
}

async function checkPlanLimit(
  ctx: Context,
  tx: Db,
  { tenant_id, key }: { tenant_id: string; key: string },
): Promise<void> {
  const limits = await lockPlanLimits(ctx, tx, tenant_id)
  if (limits !== undefined && (await countTemplates(tx, tenant_id, key)) >= limits.templates)
    throw new Refusal('too_many', `Your plan allows ${limits.templates} templates of your own.`)
}
