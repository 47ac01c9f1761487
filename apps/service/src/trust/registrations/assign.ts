import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import type { Db } from '../../engine/db/index.ts'
import { Refusal, notFound } from '../../engine/basics/index.ts'
import { countAssignments, deleteAssignment, maxAssignments, putAssignment } from './store.ts'

type AssignTemplate = { by: NewAuditEntry['by']; template: string; registration_id: string | null }

/** Lets a template, which the caller has locked, name a registration; `null`: it is asked under the default. */
export async function assignTemplate(
  tx: Db,
  { by, template, registration_id }: AssignTemplate,
): Promise<void> {
  const { tenant_id } = by
  if (registration_id === null) await deleteAssignment(tx, { tenant_id, template })
  else {
    if ((await countAssignments(tx, tenant_id, template)) >= maxAssignments)
      throw new Refusal('too_many', `At most ${maxAssignments} templates can name a registration.`)
    if (!(await putAssignment(tx, { tenant_id, id: registration_id, template })))
      throw notFound('registration_not_found')
  }
  await appendAudit(tx, {
    action: 'registration.assigned',
    by,
    subject: template,
    detail: { registration: registration_id },
  })
}

/** Forgets what a template named, in the transaction that deletes the template. */
export async function forgetTemplate(
  tx: Db,
  { tenant_id, template }: { tenant_id: string; template: string },
): Promise<void> {
  await deleteAssignment(tx, { tenant_id, template })
}
