import type { ChangeRegistration, RegistrationDetail } from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { notFound } from '../../engine/basics/index.ts'
import { lockPlanLimits } from '../../accounts/index.ts'
import { getRegistration } from './get.ts'
import { findRegistration, renameRegistration, setDefault } from './store.ts'

/** Renames a registration, or makes it the default of new sessions or stops it from being that. */
export async function changeRegistration(
  ctx: Context,
  { by, id, name, default: asDefault }: ChangeRegistration & { by: NewAuditEntry['by']; id: string },
): Promise<RegistrationDetail> {
  const { tenant_id } = by
  await ctx.db.transaction(async (tx) => {
    // Of two changes of the default, the second sees what the first has done.
    await lockPlanLimits(ctx, tx, tenant_id)
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
