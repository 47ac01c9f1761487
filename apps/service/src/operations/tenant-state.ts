import { type SetTenantState, setTenantState } from '../accounts/index.ts'
import type { Context } from '../engine/context.ts'
import { cancelOpenVerifications } from '../verifications/index.ts'

export type ChangeTenantState = SetTenantState & {
  /** Whether verifications that a wallet could still respond to end too. Those of a closed tenant always do. */
  end_open?: boolean
}

/** Changes the state of a tenant. Repeated after an interruption, it ends the verifications that are still open. Returns how many it ended. */
export async function changeTenantState(
  ctx: Pick<Context, 'db'>,
  { end_open = false, ...change }: ChangeTenantState,
): Promise<{ ended: number }> {
  await setTenantState(ctx, change)
  const { tenant_id, state, operator } = change
  if (state === 'active' || (state === 'suspended' && !end_open)) return { ended: 0 }
  return { ended: await cancelOpenVerifications(ctx, { tenant_id, operator_name: operator.name }) }
}
