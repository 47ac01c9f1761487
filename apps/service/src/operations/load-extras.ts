import type { Context } from '../engine/context.ts'

/** Repeats in a restored database what was erased and revoked since. Its commands load it, and processes with an erasure ledger. */
export const loadRestore = () => import('./restore/apply.ts')

/** Moves tenants between cells. Only its commands load it. */
export const loadTenantMoves = () => import('./tenant-moves/move.ts')

/** Completes erasures and revocations that were interrupted, if there is a ledger that knows of them. */
export async function completeInDoubt(ctx: Context): Promise<void> {
  if (!ctx.ledger.isConfigured) return
  const restore = await loadRestore()
  await restore.completeInDoubt(ctx)
}

/** The worker's part: completes what is in doubt, then deletes marks that are no longer needed. */
export async function confirmLedger(ctx: Context): Promise<void> {
  await completeInDoubt(ctx)
  await ctx.ledger.confirm(ctx.db)
}
