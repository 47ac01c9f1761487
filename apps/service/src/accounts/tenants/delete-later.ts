import { type InstallationOperator, recordsAs } from '../../audit/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { deleteTenant } from './delete.ts'
import { claimDueDeletion, planDeletion, withdrawDeletion } from './operator-store.ts'
import { changeState } from './state.ts'
import { findTenant, readState } from './store.ts'

/** How many days a deletion waits. */
export const tenantDeletion_days = 7

export type PlanDeletion = {
  tenant_id: string
  /** The tenant's name, to confirm. */
  name: string
  operator: InstallationOperator
}

/** Suspends a tenant now, and has it deleted in seven days unless that is withdrawn. */
export async function deleteTenantLater(
  { db }: Pick<Context, 'db'>,
  { tenant_id, name, operator }: PlanDeletion,
): Promise<void> {
  await db.transaction(async (tx) => {
    const tenant = await findTenant(tx, tenant_id)
    if (tenant === undefined) throw new Refusal('not_found', `There is no tenant ${tenant_id}.`)
    if (tenant.name !== name)
      throw new Refusal('invalid_request', 'The tenant has another name. Nothing was changed.')
    const state = (await readState(tx, tenant_id))?.state
    // A closed tenant stays closed.
    if (state !== 'closed') await changeState(tx, { tenant_id, state: 'suspended', operator })
    const deletion_at = await planDeletion(tx, { id: tenant_id, days: tenantDeletion_days })
    await recordsAs('installation.tenant_deletion_planned', operator)(tx, { tenant_id, deletion_at })
  })
}

/** The tenant stays, suspended as it is. */
export async function keepTenant(
  { db }: Pick<Context, 'db'>,
  { tenant_id, operator }: { tenant_id: string; operator: InstallationOperator },
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await withdrawDeletion(tx, tenant_id)))
      throw (await findTenant(tx, tenant_id)) === undefined
        ? new Refusal('not_found', `There is no tenant ${tenant_id}.`)
        : new Refusal('invalid_request', 'No deletion of this tenant is planned, or it has begun.')
    await recordsAs('installation.tenant_deletion_withdrawn', operator)(tx, { tenant_id })
  })
}

/** The worker's loop. */
export const deletionLoop = 'planned deletions'

/** Deletes the tenants that are due, one after the other. One that was interrupted is continued an hour later. */
export async function deleteDueTenants(
  ctx: Pick<Context, 'config' | 'db' | 'keyring' | 'ledger' | 'log' | 'metrics'>,
  signal?: AbortSignal,
): Promise<void> {
  while (signal?.aborted !== true) {
    const due = await ctx.db.transaction((tx) => claimDueDeletion(tx))
    if (due === undefined) return
    // Who planned it, and why, is in the entry of the plan.
    const record = recordsAs('installation.tenant_deleted', { name: 'planned deletion' })
    // It may take as long as it takes.
    const onProgress = () => ctx.metrics.loops.succeeded(deletionLoop)
    const deleted = await deleteTenant(ctx, { tenant_id: due.id, name: due.name, record, onProgress })
    ctx.log.info({ tenant_id: due.id, ...deleted }, 'a tenant was deleted as planned')
  }
}
