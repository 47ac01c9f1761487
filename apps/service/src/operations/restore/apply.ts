import { type AbandonedLog, type RecordOperation, abandonCheckpoints } from '../../audit/index.ts'
import { skipDelivered } from '../../deliveries/index.ts'
import { type RestoredGenerations, restoreGenerations } from '../../devices/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { type StoredEntry, doubt_ms, hashLedgerId, isLedgerKind } from '../../engine/ledger/index.ts'
import { dropOldDays, endOpenVerifications } from '../../verifications/index.ts'
import { type AppliedCounts, applyEntries } from './apply-entries.ts'

export type RestoreReport = {
  /** Entries of the ledger that the database had lost. */
  entries: number
  /** Rows that were ended once more, by kind. An entry whose row the restored database does not have ends none. */
  applied: AppliedCounts
  /** Verifications that were open: the database no longer knows which of them were cancelled or answered since. */
  ended?: number
  notes?: AppliedNotes
  abandoned?: AbandonedLog
}

type ApplyRestore = {
  /** Says that the database was restored, if neither the ledger nor a saved checkpoint shows it. */
  restored?: boolean
  /** Records in the installation's log how many entries were repeated, for each batch. */
  record?: RecordOperation
  onProgress?: (entries: number) => void
}

/**
 * Repeats in a restored database what was erased and revoked since, so that it can be served. The marks are inserted last: until then the
 * service refuses, and a call that was interrupted is repeated.
 */
export async function applyRestore(
  ctx: Context,
  { restored = false, record, onProgress }: ApplyRestore = {},
): Promise<RestoreReport> {
  const first = await ctx.ledger.readPending(ctx.db)
  const isAbandoned = (await abandonCheckpoints(ctx, { dryRun: true })) !== undefined
  if (first.lost.length === 0 && !isAbandoned && !restored) return { entries: 0, applied: {} }

  const notes = await applyNotes(ctx)
  const abandoned = await abandonCheckpoints(ctx)
  await dropOldDays(ctx)
  const ended = await endOpenVerifications(ctx)
  const report: RestoreReport = { entries: 0, applied: {}, ended, notes, ...(abandoned && { abandoned }) }
  for (let lost = first.lost; lost.length > 0; { lost } = await ctx.ledger.readPending(ctx.db)) {
    requireKnownKinds(lost)
    for (const [kind, count] of Object.entries(await applyEntries(ctx, lost)))
      report.applied[kind] = (report.applied[kind] ?? 0) + count
    await ctx.db.transaction(async (tx) => {
      await ctx.ledger.markApplied(tx, lost)
      await record?.(tx, { entries: lost.length })
    })
    report.entries += lost.length
    onProgress?.(report.entries)
  }
  if (report.entries === 0 && record !== undefined)
    await ctx.db.transaction((tx) => record(tx, { entries: 0 }))
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

/**
 * Completes erasures and revocations whose process crashed, or lost its connection, between the ledger and the commit. Their callers
 * got no answer, so either outcome is right, and an entry must not stay without one. Returns how many were completed.
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

function requireKnownKinds(entries: readonly StoredEntry[]): void {
  const unknown = entries.find(({ kind }) => !isLedgerKind(kind))
  if (unknown !== undefined)
    throw new Refusal(
      'invalid_request',
      `The ledger has entries of the kind ${unknown.kind}, which a later version of vidimus wrote. Use that version.`,
    )
}

type AppliedNotes = RestoredGenerations & { webhooks_unknown: number }

/**
 * Uses what the ledger noted beside its entries: webhook events that were delivered are not sent again, and devices get back the
 * generation of their newest token. The notes are held in memory, about 100 bytes each; they are kept for days only.
 */
async function applyNotes({
  db,
  keyring,
  ledger,
}: Pick<Context, 'db' | 'keyring' | 'ledger'>): Promise<AppliedNotes> {
  const delivered = new Set<string>()
  const generations = new Map<string, number>()
  for await (const { kind, hash, generation = 0 } of ledger.readNotes()) {
    const key = hash.toString('latin1')
    if (kind === 'delivered') delivered.add(key)
    if (kind === 'refreshed') generations.set(key, Math.max(generation, generations.get(key) ?? 0))
  }
  const keyOf = (kind: 'delivered' | 'refreshed', id: string) =>
    hashLedgerId(keyring, kind, id).toString('latin1')
  const webhooks_unknown = await skipDelivered({ db }, (event) => delivered.has(keyOf('delivered', event)))
  const restored = await restoreGenerations({ db }, (device) => generations.get(keyOf('refreshed', device)))
  return { webhooks_unknown, ...restored }
}
