import { type RecordOperation, appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { updateQuota } from './store.ts'

export type SetQuota = { tenant_id: string; daily_quota: number; record?: RecordOperation }

/** Gives a tenant its own daily quota instead of its plan's. It applies from the next creation on. */
export async function setQuota(
  { db }: Pick<Context, 'db'>,
  { tenant_id, daily_quota, record }: SetQuota,
): Promise<void> {
  await db.transaction(async (tx) => {
    const tenant = await updateQuota(tx, { id: tenant_id, daily_quota })
    if (tenant === undefined) throw new Refusal('not_found', `There is no tenant ${tenant_id}.`)
    await appendAudit(tx, {
      action: 'tenant.quota_changed',
      by: { kind: 'operator', tenant_id },
      detail: { daily_quota },
    })
    await record?.(tx, { tenant_id, daily_quota })
  })
}
