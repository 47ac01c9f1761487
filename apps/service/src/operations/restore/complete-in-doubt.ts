import type { Context } from '../../engine/context.ts'
import { doubt_ms, isLedgerKind } from '../../engine/ledger/index.ts'
import { applyEntries } from './apply-entries.ts'

/**
 * Completes erasures and revocations whose process crashed, or lost its connection, between the ledger and the commit. Their callers
 * got no response, so either outcome is right, and an entry must not stay without one. Returns how many were completed.
 */
export async function completeInDoubt(ctx: Context): Promise<number> {
  const { now, in_doubt } = await ctx.ledger.readPending(ctx.db)
  const old = in_doubt.filter(
    // The kind of a later version is left to it.
    ({ at, kind }) => Date.parse(now) - Date.parse(at) > doubt_ms && isLedgerKind(kind),
  )
  if (old.length === 0) return 0
  const applied = await applyEntries(ctx, old)
  await ctx.db.transaction((tx) => ctx.ledger.markApplied(tx, old))
  ctx.log.warn({ entries: old.length, applied }, 'completed erasures and revocations that were interrupted')
  return old.length
}

/** The worker's part: completes what is in doubt, then deletes marks that are no longer needed. */
export async function settleLedger(ctx: Context): Promise<void> {
  if (!ctx.ledger.isConfigured) return
  await completeInDoubt(ctx)
  await ctx.ledger.settle(ctx.db)
}
