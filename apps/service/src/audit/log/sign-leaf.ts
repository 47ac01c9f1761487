import {
  appendLeaf,
  serializeHead,
  joinPeaks,
  sameBytes,
  signCheckpoint,
  hashLogLeaf,
  buildTree,
} from '@vidimus/evidence'
import type { Context } from '../../engine/context.ts'
import type { Database, Db } from '../../engine/db/index.ts'
import { AuditTamperedError } from '../append.ts'
import { assertContinuesSaved } from './save-checkpoint.ts'
import { readLogState, type LogState } from './open-log.ts'
import {
  insertHeads,
  insertNodes,
  insertLeaf,
  readInnerHeads,
  readLastLeaf,
  takeNewHeads,
  nextLeafTime,
  updateCheckpoint,
  type HeadRow,
  type LeafRow,
} from './log-store.ts'
import { lockLog } from '../chain/store.ts'
import { rowToLeaf } from './row-to-leaf.ts'

/** The most chains in one leaf; the rest go into the next. */
const maxHeads = 10_000
/** A chain that grew by more entries has a head in the leaf for every fourth, so that the proof of an entry skips at most three. */
const headInterval = 4
/** Far more than can be chained between two leaves: 100,000 entries. */
const maxInnerHeads = 25_000

/** The state after this process's last leaf. Reused only if no other node has signed a leaf since. */
const logStates = new WeakMap<Database, LogState>()

export type SignLeaf = {
  config: Context['config']
  keyring: Context['keyring']
  db: Database
  pause_ms: number
}

/** The key was replaced while a leaf was being signed with it. */
class KeyReplacedError extends Error {}

/**
 * Appends one leaf with the chains that grew, and signs the log: one signature for all tenants. False if there was nothing new,
 * if the last leaf is more recent than `pause_ms`, or if another node is signing. If the key was replaced meanwhile, nothing that the old
 * key signed is stored, and the new key signs.
 */
export async function signLeaf(options: SignLeaf): Promise<boolean> {
  try {
    return await trySignLeaf(options)
  } catch (error) {
    if (error instanceof KeyReplacedError) return signLeaf(options)
    throw error
  }
}

async function trySignLeaf({ db, pause_ms, ...ctx }: SignLeaf): Promise<boolean> {
  const cached = logStates.get(db)
  // Stored again only after the commit, so that a failure leaves no state that the database does not have.
  logStates.delete(db)
  const result = await db.transaction(async (tx) => {
    if (!(await lockLog(tx))) return undefined
    const last = await readLastLeaf(tx)
    const current = cached !== undefined && isSameLeaf(cached.leaf, last) ? cached : undefined
    const before = current ?? (await readLogState(ctx, tx))
    if (current === undefined) await assertContinuesSaved(ctx.config, tx, before.log)
    const after = await appendLogLeaf(tx, before, pause_ms)
    return { state: after ?? before, signed: after !== undefined }
  })
  if (result !== undefined) logStates.set(db, result.state)
  return result?.signed === true
}

/** A restored log can have another leaf of the same index. */
function isSameLeaf(cached: LeafRow | undefined, last: LeafRow | undefined): boolean {
  if (cached === undefined || last === undefined) return cached === last
  return cached.index === last.index && cached.at === last.at && sameBytes(cached.heads_root, last.heads_root)
}

async function appendLogLeaf(tx: Db, state: LogState, pause_ms: number): Promise<LogState | undefined> {
  const time = await nextLeafTime(tx, { after: state.leaf?.at, pause_ms })
  const grown = time === undefined ? [] : await takeNewHeads(tx, maxHeads)
  if (time === undefined || grown.length === 0) return undefined

  const { heads, log } = state
  for (const { signed: _, ...head } of grown) {
    if (head.seq <= (heads.get(head.tenant_id)?.seq ?? 0))
      throw new AuditTamperedError(`the chain of ${head.tenant_id} is shorter than when it was signed`)
    heads.set(head)
  }
  const inner = await readInnerHeads(tx, {
    grown,
    interval: headInterval,
    // What was chained before the last leaf, around midnight.
    from_day: dayBefore(state.leaf?.at ?? time.at),
    limit: maxInnerHeads,
  })
  const newHeads = [...grown, ...inner].toSorted(compareHeads)
  const leaf = {
    index: state.frontier.size,
    at: time.at,
    heads_count: heads.count(),
    heads_root: heads.root(),
    new_heads_count: newHeads.length,
    new_heads_root: buildTree(newHeads.map(serializeHead)).root,
  }
  const { completed, ...frontier } = appendLeaf(state.frontier, hashLogLeaf(rowToLeaf(leaf)))
  const checkpoint = signCheckpoint({ size: frontier.size, root: joinPeaks(frontier.peaks) }, log.key)
  await insertLeaf(tx, leaf)
  await insertHeads(tx, { day: time.day, leaf: leaf.index, heads: newHeads })
  if (completed.length > 0) await insertNodes(tx, completed)
  if (!(await updateCheckpoint(tx, { checkpoint, sealed_key: log.sealed_key }))) throw new KeyReplacedError()
  return { log: { ...log, checkpoint }, leaf, frontier, heads }
}

function compareHeads(a: HeadRow, b: HeadRow): number {
  if (a.tenant_id !== b.tenant_id) return a.tenant_id < b.tenant_id ? -1 : 1
  return a.seq - b.seq
}

function dayBefore(at: string): string {
  const day_ms = 86_400_000
  return new Date(Date.parse(at) - day_ms).toISOString().slice(0, 10)
}
