import type { ChangeRegistration, RegistrationDetail } from '@vidimus/contract'
import { lockPlanLimits } from '../../accounts/index.ts'
import { type NewAuditEntry, appendAudit, resolveAlert } from '../../audit/index.ts'
import { Refusal, notFound } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import type { EndedRows } from '../../engine/ledger/index.ts'
import { getRegistration } from './list-registrations.ts'
import { readRegistrationPage, removeAssignments } from './ended-store.ts'
import {
  type RegistrationKey,
  countAssignments,
  deleteAssignment,
  deleteRegistration,
  findRegistration,
  lockRegistration,
  maxAssignments,
  putAssignment,
  renameRegistration,
  setDefault,
} from './store.ts'

/** Renames a registration, or sets whether it is the default of new verifications. */
export async function changeRegistration(
  ctx: Context,
  { by, id, name, default: asDefault }: ChangeRegistration & { by: NewAuditEntry['by']; id: string },
): Promise<RegistrationDetail> {
  const { tenant_id } = by
  await ctx.db.transaction(async (tx) => {
    // Of two changes of the default, the second sees what the first has done.
    await lockPlanLimits(tx, tenant_id)
    const before = await findRegistration(tx, { tenant_id, id })
    if (before === undefined) throw notFound('registration_not_found')
    if (name !== undefined) await renameRegistration(tx, { tenant_id, id, name })
    if (asDefault === true) await setDefault(tx, { tenant_id, id })
    if (asDefault === false && before.is_default) await setDefault(tx, { tenant_id, id: null })
    await appendAudit(tx, {
      action: 'registration.changed',
      by,
      subject: id,
      // A name is a text of the merchant's, which could be that of a person.
      detail: { renamed: name !== undefined, ...(asDefault !== undefined && { default: asDefault }) },
    })
  })
  return getRegistration(ctx, { tenant_id, id })
}

type AssignTemplate = { by: NewAuditEntry['by']; template: string; registration_id: string | null }

/** Sets the registration of a template, which the caller has locked; `null`: it is requested under the default. */
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

const maxNamed = 3

/** Removes a registration that no template names. Verifications that were created under it keep carrying it. */
export async function removeRegistration(
  { db, ledger }: Pick<Context, 'db' | 'ledger'>,
  { by, id }: { by: NewAuditEntry['by']; id: string },
): Promise<void> {
  const key = { tenant_id: by.tenant_id, id }
  await db.transaction(async (tx) => {
    if (!(await lockRegistration(tx, key))) throw notFound('registration_not_found')
    const row = await findRegistration(tx, key)
    const templates = row?.templates ?? []
    if (templates.length > 0)
      throw new Refusal(
        'registration_in_use',
        `Templates name this registration: ${nameSome(templates)}. Choose another one for them first.`,
      )
    await deleteRegistration(tx, key)
    await resolveAlert(tx, { ...key, environment: null, kind: 'registration_refused', subject: id })
    await appendAudit(tx, {
      action: 'registration.removed',
      by,
      subject: id,
      detail: { default: row?.is_default === true },
    })
    await ledger.record(tx, [{ kind: 'registration', id }])
  })
}

function nameSome(templates: readonly string[]): string {
  return [...templates.slice(0, maxNamed), ...(templates.length > maxNamed ? ['others'] : [])].join(', ')
}

/** Registrations that were removed. Templates that name one again after the restore then name none. */
export const endedRegistrations: EndedRows<RegistrationKey> = {
  kind: 'registration',
  readPage: readRegistrationPage,
  ledgerIds: ({ id }) => [id],
  async end(tx, key) {
    await removeAssignments(tx, key)
    await deleteRegistration(tx, key)
    await appendAudit(tx, {
      action: 'registration.removed',
      by: { kind: 'operator', tenant_id: key.tenant_id },
      subject: key.id,
      detail: { cause: 'restore' },
    })
  },
}
