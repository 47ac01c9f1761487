import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { makePartitionsAhead } from '../../engine/db/index.ts'
import { type Member, Refusal } from '../../engine/basics/index.ts'
import type { Policies } from './get-policies.ts'
import { updatePolicies } from './store.ts'

export type SetPolicies = {
  tenant_id: string
  /** A member of the tenant; the operator if absent. */
  by?: Member
} & { [Name in keyof Policies]?: Policies[Name] | undefined }

/** Changes a tenant's policies on results. They apply to wallet responses from now on, not to stored results. */
export async function setPolicies(
  { db }: Pick<Context, 'db'>,
  { tenant_id, by, ...policies }: SetPolicies,
): Promise<Policies> {
  return db.transaction(async (tx) => {
    const now = await updatePolicies(tx, tenant_id, policies)
    if (now === undefined) throw new Refusal('not_found', `There is no tenant ${tenant_id}.`)
    // Results are partitioned by the day of their deletion: a longer retention needs its partitions before the first result.
    await makePartitionsAhead(tx)
    await appendAudit(tx, {
      action: 'tenant.policies_changed',
      by: by ?? { kind: 'operator', tenant_id },
      detail: { ...policies },
    })
    return now
  })
}
