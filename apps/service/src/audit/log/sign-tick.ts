import { appendLeaf, serializeHead, joinPeaks, signCheckpoint, hashTick, buildTree } from '@vidimus/evidence'
import type { Context } from '../../context.ts'
import type { Database, Db } from '../../platform/db/open.ts'
import { AuditTamperedError } from '../audit-tampered-error.ts'
import { assertContinuesSaved } from './save-checkpoint.ts'
import { readLogState, type LogState } from './log-state.ts'
import {
  insertHeads,
  insertNodes,
  insertTick,
  readLastTick,
  takeNewHeads,
  nextTickTime,
  updateCheckpoint,
} from './log-store.ts'
import { lockTick } from '../chain/store.ts'
import { rowToTick } from './row-to-tick.ts'

/** The most heads of one tick; the rest goes into the next. */
const maxHeads = 10_000

/** How the log stood after this process's last tick. Used only while the database says that no other came since. */
const logStates = new WeakMap<Database, LogState>()

export type SignTick = {
  config: Context['config']
  keyring: Context['keyring']
  db: Database
  pause_ms: number
}

/**
 * Appends one tick with the heads that moved, and signs the log anew: one signature for all tenants. False when there was
 * nothing new, when the last tick is younger than the pause, or when another node is at it.
 */
export async function signTick({ db, pause_ms, ...ctx }: SignTick): Promise<boolean> {
  const known = logStates.get(db)
  // Kept again only after the commit: a failure in between leaves nothing behind that the database does not have.
  logStates.delete(db)
  const outcome = await db.transaction(async (tx) => {
    if (!(await lockTick(tx))) return undefined
    const last = await readLastTick(tx)
    const current = known !== undefined && known.tick?.index === last?.index ? known : undefined
    const before = current ?? (await readLogState(ctx, tx))
    if (current === undefined) await assertContinuesSaved(ctx.config, tx, before.log)
    const after = await appendTick(tx, before, pause_ms)
    return { standing: after ?? before, signed: after !== undefined }
  })
  if (outcome !== undefined) logStates.set(db, outcome.standing)
  return outcome?.signed === true
}

async function appendTick(tx: Db, standing: LogState, pause_ms: number): Promise<LogState | undefined> {
  const time = await nextTickTime(tx, { after: standing.tick?.at, pause_ms })
  const moved = time === undefined ? [] : await takeNewHeads(tx, maxHeads)
  if (time === undefined || moved.length === 0) return undefined

  const { heads, log } = standing
  for (const head of moved) {
    if (head.seq <= (heads.get(head.tenant_id)?.seq ?? 0))
      throw new AuditTamperedError(`the chain of ${head.tenant_id} went back`)
    heads.set(head)
  }
  const tick = {
    index: standing.frontier.size,
    at: time.at,
    heads_count: heads.count(),
    heads_root: heads.root(),
    new_heads_count: moved.length,
    new_heads_root: buildTree(moved.map(serializeHead)).root,
  }
  const { completed, ...frontier } = appendLeaf(standing.frontier, hashTick(rowToTick(tick)))
  const checkpoint = signCheckpoint({ size: frontier.size, root: joinPeaks(frontier.peaks) }, log.key)
  await insertTick(tx, tick)
  await insertHeads(tx, { day: time.day, tick: tick.index, heads: moved })
  if (completed.length > 0) await insertNodes(tx, completed)
  await updateCheckpoint(tx, checkpoint)
  return { log: { ...log, checkpoint }, tick, frontier, heads }
}
