import { type InstallationOperator, appendAudit, recordsAs } from '../../audit/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { type TenantState, lockCreations, readState, updateState } from './store.ts'

export type SetTenantState = { tenant_id: string; state: TenantState; operator: InstallationOperator }

/**
 * Suspends a tenant, resumes or closes it. From the commit on no verification of a tenant that is not active is created, by
 * anybody; everything else goes on: reads, results, deliveries, erasure and sign-in. Closed is for good, until the tenant is deleted.
 */
export async function setTenantState({ db }: Pick<Context, 'db'>, change: SetTenantState): Promise<void> {
  await db.transaction((tx) => changeState(tx, change))
}

/** The same in the transaction of what it belongs to. */
export async function changeState(tx: Db, { tenant_id, state, operator }: SetTenantState): Promise<void> {
  const { name, reason } = operator
  await lockCreations(tx, tenant_id)
  const isChanged = await updateState(tx, {
    id: tenant_id,
    state,
    reason: state === 'active' ? null : (reason ?? null),
  })
  if (!isChanged) throw await explainUnchanged(tx, tenant_id)
  await appendAudit(tx, {
    action: 'tenant.state_changed',
    by: { kind: 'operator', tenant_id, name },
    purpose: reason,
    detail: { state },
  })
  await recordsAs('installation.tenant_state_changed', operator)(tx, { tenant_id, state })
}

async function explainUnchanged(tx: Db, tenant_id: string): Promise<Refusal> {
  const found = await readState(tx, tenant_id)
  if (found === undefined) return new Refusal('not_found', `There is no tenant ${tenant_id}.`)
  return new Refusal(
    'invalid_request',
    found.state === 'closed'
      ? 'This tenant is closed. It can only be deleted.'
      : 'This tenant is to be deleted. Withdraw the deletion first.',
  )
}
