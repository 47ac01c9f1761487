import type { Context } from '../engine/context.ts'
import { partitionDays } from '../engine/db/index.ts'
import { appendAudit } from './append.ts'
import { deleteTextsOfDeleted, hasTenantTexts } from './chain/history-store.ts'
import { flushAudit } from './advance.ts'

/** Entries that were appended meanwhile need another round. Nobody can act for the tenant any more, so they run out. */
const maxRounds = 5
const deleteLimits = { statement_ms: 60_000 }

/**
 * Ends a tenant's chain with `tenant.deleted`, which a check reads as the removal of all texts before it, and deletes those
 * texts once the entry is signed. Returns their number.
 */
export async function eraseTenantTexts(
  ctx: Pick<Context, 'config' | 'db' | 'keyring'>,
  tenant_id: string,
): Promise<number> {
  const { db } = ctx
  let deleted = 0
  for (let round = 0; round < maxRounds; round += 1) {
    await db.transaction((tx) =>
      appendAudit(tx, { action: 'tenant.deleted', by: { kind: 'operator', tenant_id } }),
    )
    await flushAudit(ctx, tenant_id)
    for (const day of await partitionDays(db, 'audit_texts'))
      deleted += await db.transaction((tx) => deleteTextsOfDeleted(tx, { tenant_id, day }), deleteLimits)
    if (!(await hasTenantTexts(db, tenant_id))) return deleted
  }
  throw new Error('texts of the tenant are still being written')
}
