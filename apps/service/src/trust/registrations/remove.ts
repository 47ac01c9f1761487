import { type NewAuditEntry, appendAudit, resolveAlert } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { Refusal, notFound } from '../../engine/basics/index.ts'
import { deleteRegistration, findRegistration, lockRegistration } from './store.ts'

const maxNamed = 3

/** Removes a registration that no template names. Sessions that were created under it keep carrying it. */
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
