import { type InstallationOperator, appendAudit, recordsAs } from '../../audit/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { type TenantState, lockCreations, readState, updateState } from './store.ts'

export type SetTenantState = { tenant_id: string; state: TenantState; operator: InstallationOperator }

/**
 * Suspends a tenant, resumes or closes it. From the commit on no verification of a tenant that is not active is created, by
 * anybody; everything else goes on: reads, results, deliveries, erasure and sign-in. Closed is for good, until the tenant is deleted.
 */
export async function setTenantState(
  { db }: Pick<Context, 'db'>,
  { tenant_id, state, operator }: SetTenantState,
): Promise<void> {
  const { name, reason } = operator
  await db.transaction(async (tx) => {
    await lockCreations(tx, tenant_id)
    if (
      !(await updateState(tx, { id: tenant_id, state, reason: state === 'active' ? null : (reason ?? null) }))
    )
      throw (await readState(tx, tenant_id)) === undefined
        ? new Refusal('not_found', `There is no tenant ${tenant_id}.`)
        : new Refusal('invalid_request', 'This tenant is closed. It can only be deleted.')
    await appendAudit(tx, {
      action: 'tenant.state_changed',
      by: { kind: 'operator', tenant_id, name },
      purpose: reason,
      detail: { state },
    })
    await recordsAs('installation.tenant_state_changed', operator)(tx, { tenant_id, state })
  })
}
