import { setTimeout as sleep } from 'node:timers/promises'
import { type RecordOperation, eraseTenantTexts } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { partitionDays } from '../../engine/db/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { insertLastUsageCounts } from '../usage/store.ts'
import {
  deleteTenantRow,
  deleteTenantRows,
  deleteTenantVerifications,
  findTenant,
  lockCreations,
  updateState,
} from './store.ts'

const rowsAtOnce = 5000
const verificationsAtOnce = 500
/** Longer than a process keeps rows of the request log before it writes them. */
const pause_ms = 3000
/** One call looks at every partition, and may wait for a webhook that is being sent. */
const deleteLimits = { statement_ms: 120_000, lock_ms: 60_000 }

export type DeleteTenant = {
  tenant_id: string
  name: string
  onProgress?: (deleted: DeletedRows) => void
  /** The tenant is in another cell: nothing of it is left here, and nothing was created since it moved. */
  moved?: true
  record?: RecordOperation
}
export type DeletedRows = { verifications: number; other_rows: number; audit_texts: number }

/**
 * Deletes a tenant and everything of it: access first, so that nobody acts while the rest is deleted in many transactions. If it
 * is interrupted, the next call continues. The entries of its audit chain stay, without texts, because the log that all tenants
 * share contains them (ADR 21).
 */
export async function deleteTenant(
  ctx: Pick<Context, 'config' | 'db' | 'keyring' | 'ledger'>,
  { tenant_id, name, onProgress, moved, record }: DeleteTenant,
): Promise<DeletedRows> {
  const tenant = await findTenant(ctx.db, tenant_id)
  if (tenant === undefined) throw new Refusal('not_found', `There is no tenant ${tenant_id}.`)
  if (tenant.name !== name)
    throw new Refusal('invalid_request', `The tenant ${tenant_id} has another name. Nothing was deleted.`)

  const deleted: DeletedRows = { verifications: 0, other_rows: 0, audit_texts: 0 }
  const add = (rows: Partial<DeletedRows>) => {
    for (const [kind, count] of Object.entries(rows)) deleted[kind as keyof DeletedRows] += count
    onProgress?.(deleted)
  }
  if (moved !== true) await closeUsage(ctx.db, tenant_id)
  // The first rows are deleted together with the entry of the ledger, so that nothing is deleted that a restored database would keep.
  const first = await ctx.db.transaction(async (tx) => {
    const rows = await deleteTenantRows(tx, tenant_id, rowsAtOnce)
    await ctx.ledger.record(tx, [{ kind: 'tenant', id: tenant_id }])
    await record?.(tx, { tenant_id })
    return rows
  }, deleteLimits)
  add({ other_rows: first })
  await deleteRows(ctx, tenant_id, (other_rows) => add({ other_rows }))
  // Requests that were running when access ended may still write, and every process writes its request log in batches.
  await sleep(pause_ms)
  for (;;) {
    const before = deleted.verifications + deleted.other_rows
    await deleteRows(ctx, tenant_id, (other_rows) => add({ other_rows }))
    await deleteVerifications(ctx, tenant_id, (verifications) => add({ verifications }))
    if (deleted.verifications + deleted.other_rows === before) break
  }
  add({ audit_texts: await eraseTenantTexts(ctx, tenant_id) })
  await deleteTenantRow(ctx.db, tenant_id)
  return deleted
}

/** The tenant creates nothing from now on, and what it used on the days that were not counted yet is kept for its invoice. */
async function closeUsage(db: Context['db'], id: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockCreations(tx, id)
    await updateState(tx, { id, state: 'closed', reason: null })
  })
  await db.transaction((tx) => insertLastUsageCounts(tx, id), deleteLimits)
}

async function deleteRows(
  { db }: Pick<Context, 'db'>,
  tenant_id: string,
  onDeleted: (rows: number) => void,
): Promise<void> {
  for (;;) {
    const rows = await db.transaction((tx) => deleteTenantRows(tx, tenant_id, rowsAtOnce), deleteLimits)
    if (rows === 0) return
    onDeleted(rows)
  }
}

async function deleteVerifications(
  { db }: Pick<Context, 'db'>,
  tenant_id: string,
  onDeleted: (verifications: number) => void,
): Promise<void> {
  for (const day of await partitionDays(db, 'verification_sessions')) {
    const batch = { tenant_id, day, limit: verificationsAtOnce }
    for (;;) {
      const verifications = await db.transaction((tx) => deleteTenantVerifications(tx, batch), deleteLimits)
      if (verifications === 0) break
      onDeleted(verifications)
    }
  }
}
