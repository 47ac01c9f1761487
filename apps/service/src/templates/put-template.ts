import { type Violation, checkTemplate, isTemplate } from '@vidimus/protocol'
import type { TemplateDetail } from '@vidimus/contract'
import { lockPlanLimits } from '../accounts/index.ts'
import { type NewAuditEntry, appendAudit } from '../audit/index.ts'
import { type Member, Refusal, notFound } from '../engine/basics/index.ts'
import type { Context } from '../engine/context.ts'
import type { Db } from '../engine/db/index.ts'
import { forgetTemplate } from '../trust/index.ts'
import { getTemplate, readTemplate } from './list-templates.ts'
import { isBuiltIn } from './built-in/read-built-in.ts'
import type { TemplateContext } from './open-built-in.ts'
import { resolveTemplate } from './resolve-template.ts'
import {
  countTemplates,
  deleteTemplate as deleteRow,
  insertVersions,
  lockTemplateForUpdate,
  lockTemplates,
  putTemplate as storeTemplate,
} from './store.ts'
import { toTemplateVersion } from './version.ts'

type PutTemplate = { key: string; template: unknown; by: NewAuditEntry['by'] }

const maxKey_characters = 64

/**
 * Creates or changes a tenant's template; verifications that were created with the previous version keep it. If the template is
 * invalid, returns its violations and changes nothing.
 */
export async function putTemplate(ctx: Context, { key, template, by }: PutTemplate): Promise<Violation[]> {
  const violations = checkOwnTemplate(key, template)
  if (violations.length > 0 || !isTemplate(template)) return violations
  const version = toTemplateVersion(template)
  await ctx.db.transaction(async (tx) => {
    if (by.kind !== 'operator') await checkPlanLimit(tx, { tenant_id: by.tenant_id, key })
    await insertVersions(tx, [version])
    await storeTemplate(tx, { tenant_id: by.tenant_id, key, version: version.hash })
    await appendAudit(tx, { action: 'template.put', by, subject: key })
  })
  return []
}

/** Why a template could not be put under a key. */
export function checkOwnTemplate(key: string, template: unknown): Violation[] {
  return [...checkKey(key), ...checkTemplate(template)]
}

/** A tenant's template may not use the key of a built-in one (CREATE-3). */
function checkKey(key: string): Violation[] {
  const length = Array.from(key).length
  if (length < 1 || length > maxKey_characters || !key.isWellFormed() || key.includes('\0')) {
    return [{ place: 'key', rule: `must be text of 1-${maxKey_characters} characters` }]
  }
  return isBuiltIn(key) ? [{ place: 'key', rule: 'belongs to a built-in template' }] : []
}

async function checkPlanLimit(tx: Db, { tenant_id, key }: { tenant_id: string; key: string }): Promise<void> {
  const limits = await lockPlanLimits(tx, tenant_id)
  if (limits !== undefined && (await countTemplates(tx, tenant_id, key)) >= limits.templates)
    throw new Refusal('too_many', `Your plan allows ${limits.templates} templates of your own.`)
}

/** Throws unless every template exists. None of them can be deleted until the transaction ends. */
export async function keepTemplates(
  tx: Db,
  { tenant_id, keys }: { tenant_id: string; keys: readonly string[] },
): Promise<void> {
  const own = keys.filter((key) => !isBuiltIn(key))
  if (own.length === 0) return
  const found = await lockTemplates(tx, { tenant_id, keys: own })
  const unknown = own.find((key) => !found.includes(key))
  if (unknown !== undefined) throw new Refusal('unknown_template', `There is no template ${unknown}.`)
}

type DeleteTemplate = {
  by: NewAuditEntry['by']
  key: string
  /** Throws if something needs the template. Nothing can start to need it meanwhile. */
  requireUnused: () => Promise<void>
}

/** Deletes a tenant's template. Verifications that were created with it keep their version. */
export async function deleteTemplate(tx: Db, { by, key, requireUnused }: DeleteTemplate): Promise<void> {
  const template = { tenant_id: by.tenant_id, key }
  if (isBuiltIn(key)) throw new Refusal('invalid_request', 'A built-in template cannot be deleted.')
  if (!(await lockTemplateForUpdate(tx, template))) throw notFound('template_not_found')
  await requireUnused()
  await deleteRow(tx, template)
  await forgetTemplate(tx, { tenant_id: by.tenant_id, template: key })
  await appendAudit(tx, { action: 'template.deleted', by, subject: key })
}

/** Copies a template to an unused key. */
export async function duplicateTemplate(
  ctx: TemplateContext,
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
