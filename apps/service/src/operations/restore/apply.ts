import { type AbandonedLog, abandonCheckpoints } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { type StoredEntry, isLedgerKind } from '../../engine/ledger/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { dropOldDays } from '../../verifications/index.ts'
import { applyEntries, type AppliedCounts } from './apply-entries.ts'
import { applyNotes, type AppliedNotes } from './apply-notes.ts'
import { completeInDoubt } from './complete-in-doubt.ts'

export type RestoreReport = {
  /** Entries of the ledger that the database had lost. */
  entries: number
  /** Rows that were ended once more, by kind. An entry whose row the restored database does not have ends none. */
  applied: AppliedCounts
  notes?: AppliedNotes
  abandoned?: AbandonedLog
}

export type ApplyRestore = {
  /** Says that the database was restored, if neither the ledger nor a saved checkpoint shows it. */
  restored?: boolean
  onProgress?: (entries: number) => void
}

/**
 * Repeats in a restored database what was erased and revoked since, so that it can be served. The marks are inserted last: until then the
 * service refuses, and a call that was interrupted is repeated.
 */
export async function applyRestore(
  ctx: Context,
  { restored = false, onProgress }: ApplyRestore = {},
): Promise<RestoreReport> {
  const first = await ctx.ledger.readPending(ctx.db)
  const isAbandoned = (await abandonCheckpoints(ctx, { dryRun: true })) !== undefined
  if (first.lost.length === 0 && !isAbandoned && !restored) return { entries: 0, applied: {} }

  const notes = await applyNotes(ctx)
  const abandoned = await abandonCheckpoints(ctx)
  await dropOldDays(ctx)
  const report: RestoreReport = { entries: 0, applied: {}, notes, ...(abandoned && { abandoned }) }
  for (let lost = first.lost; lost.length > 0; { lost } = await ctx.ledger.readPending(ctx.db)) {
    requireKnownKinds(lost)
    for (const [kind, count] of Object.entries(await applyEntries(ctx, lost)))
      report.applied[kind] = (report.applied[kind] ?? 0) + count
    await ctx.db.transaction((tx) => ctx.ledger.markApplied(tx, lost))
    report.entries += lost.length
    onProgress?.(report.entries)
  }
  // Those that were interrupted when the database was lost. A worker would complete them too, but perhaps none runs yet.
  await completeInDoubt(ctx)
  return report
}

/** What `applyRestore` would find, without changing anything: at most one batch of the ledger's entries is looked at. */
export async function readRestoreStatus(
  ctx: Context,
): Promise<RestoreReport & { in_doubt: number; more: boolean }> {
  const { lost, in_doubt, more } = await ctx.ledger.readPending(ctx.db)
  const abandoned = await abandonCheckpoints(ctx, { dryRun: true })
  return {
    entries: lost.length,
    more,
    in_doubt: in_doubt.length,
    applied: await applyEntries(ctx, lost, { dryRun: true }),
    ...(abandoned && { abandoned }),
  }
}

function requireKnownKinds(entries: readonly StoredEntry[]): void {
  const unknown = entries.find(({ kind }) => !isLedgerKind(kind))
  if (unknown !== undefined)
    throw new Refusal(
      'invalid_request',
      `The ledger has entries of the kind ${unknown.kind}, which a later version of vidimus wrote. Use that version.`,
    )
}
