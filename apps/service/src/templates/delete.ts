import { type NewAuditEntry, appendAudit } from '../audit/index.ts'
import type { Db } from '../engine/db/index.ts'
import { Refusal, notFound } from '../engine/basics/index.ts'
import { forgetTemplate } from '../trust/index.ts'
import { builtInTemplates } from './built-in.ts'
import { deleteTemplate as deleteRow, lockTemplateForUpdate } from './store.ts'

type DeleteTemplate = {
  by: NewAuditEntry['by']
  key: string
  /** Throws if something needs the template. Nothing can start to need it meanwhile. */
  requireUnused: () => Promise<void>
}

/** Deletes a tenant's template. Sessions that were created with it keep their version. */
export async function deleteTemplate(tx: Db, { by, key, requireUnused }: DeleteTemplate): Promise<void> {
  const template = { tenant_id: by.tenant_id, key }
  if (builtInTemplates.has(key))
    throw new Refusal('invalid_request', 'A built-in template cannot be deleted.')
  if (!(await lockTemplateForUpdate(tx, template))) throw notFound('template_not_found')
  await requireUnused()
  await deleteRow(tx, template)
  await forgetTemplate(tx, { tenant_id: by.tenant_id, template: key })
  await appendAudit(tx, { action: 'template.deleted', by, subject: key })
}
