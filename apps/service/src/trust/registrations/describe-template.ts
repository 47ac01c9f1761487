import type { TemplateRegistration } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { selectRegistration } from './select/select.ts'
import { findRegistration } from './store.ts'

/** The registration that a template is asked under: the one it names, or the default. */
export async function describeTemplateRegistration(
  { db }: Pick<Context, 'db'>,
  { tenant_id, template }: { tenant_id: string; template: string },
): Promise<TemplateRegistration | undefined> {
  const selected = await selectRegistration({ db }, { tenant_id, template })
  const row = selected && (await findRegistration(db, { tenant_id, id: selected.id }))
  return row && { id: row.id, name: row.name, assigned: row.templates.includes(template) }
}
