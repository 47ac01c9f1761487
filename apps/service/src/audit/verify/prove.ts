import {
  entryHash,
  firstLink,
  serializeHead,
  inclusionSpans,
  maxEntriesAfter,
  toHex,
  buildTree,
  writeExportLine,
  type Proof,
} from '@vidimus/evidence'
import { boundedMap } from '@vidimus/protocol'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { AuditTamperedError } from '../append.ts'
import { rowToEntry, rowToTexts } from '../chain/sequence.ts'
import { buildContinuationPath, hashPath, withHandovers } from './seal.ts'
import { withConsistentSnapshot } from './export.ts'
import { readLogState, type LogState } from '../log/open-log.ts'
import { listAudit } from '../listing/list-audit.ts'
import { beginSnapshot, readRange } from '../chain/history-store.ts'
import { readCoveringHead, readLog, readNewHeads, readLeaves } from '../log/log-store.ts'
import { rowToLeaf } from '../log/row-to-leaf.ts'

type Ctx = Pick<Context, 'config' | 'db' | 'keyring'>

export type ProveEntry = { tenant_id: string; seq: number }

/** One line that proves that an entry is in the signed log, without revealing the rest of its chain. */
export async function proveEntry(ctx: Ctx, entry: ProveEntry): Promise<string> {
  return withConsistentSnapshot(ctx, entry.tenant_id, async (tx) =>
    writeExportLine({ proof: await buildProof(tx, await readLogState(ctx, tx), entry) }),
  )
}

/** One line that proves that the newest checkpoint continues an earlier one. */
export async function proveContinuation(ctx: Ctx, first: string): Promise<string> {
  return withConsistentSnapshot(ctx, undefined, async (tx) => {
    const state = await readLogState(ctx, tx)
    const path = await buildContinuationPath(tx, state, first)
    const continuation = { first, second: state.log.checkpoint ?? '', path, ...withHandovers(state.log) }
    return writeExportLine({ continuation })
  })
}

/** Names an entry without the texts that were deleted with its subject, if they were. */
type ProveReceipt = { tenant_id: string; subject: string; receipt: string }

/** Trees of new heads, by leaf: in a busy second a leaf has thousands, and the receipts of a page may share it. */
export const newHeadTrees = () => boundedMap<number, ReturnType<typeof buildTree>>(4)
export type HeadTrees = ReturnType<typeof newHeadTrees>

/**
 * Proves that the entry of an outcome commits to a receipt. Undefined until that entry is signed. The proof has no texts, so that it is the same
 * whatever is erased later.
 */
export async function proveReceipt(
  { db }: Pick<Context, 'db'>,
  { tenant_id, subject, receipt }: ProveReceipt,
  trees = newHeadTrees(),
): Promise<Proof | undefined> {
  const { data } = await listAudit({ db }, { tenant_id, subject, limit: maxEntriesAbout })
  const seq = data.find(({ detail }) => detail?.['receipt'] === receipt)?.seq
  if (seq === undefined) return undefined
  return db.transaction(async (tx) => {
    await beginSnapshot(tx)
    const { checkpoint = null, handovers = [] } = (await readLog(tx)) ?? {}
    if (checkpoint === null || (await readCoveringHead(tx, { tenant_id, seq })) === undefined)
      return undefined
    // The second line of a checkpoint is its size (C2SP tlog-checkpoint).
    const signed = { checkpoint, size: Number(checkpoint.split('\n')[1]), handovers }
    const { texts: _, ...proof } = await proveInLog(tx, signed, { tenant_id, seq }, trees)
    return proof
  })
}

/** More than are ever made about a verification. */
const maxEntriesAbout = 100

async function buildProof(db: Db, { log, frontier }: LogState, entry: ProveEntry): Promise<Proof> {
  if (log.checkpoint === undefined) throw new AuditTamperedError('the log has no checkpoint')
  const { checkpoint, handovers } = log
  return proveInLog(db, { checkpoint, size: frontier.size, handovers }, entry)
}

type SignedLog = { checkpoint: string; size: number; handovers: readonly string[] }

async function proveInLog(
  db: Db,
  { checkpoint, size, handovers }: SignedLog,
  { tenant_id, seq }: ProveEntry,
  trees = newHeadTrees(),
): Promise<Proof> {
  const head = await readCoveringHead(db, { tenant_id, seq })
  if (head === undefined) throw new Refusal('not_found', `The chain of ${tenant_id} has no entry ${seq}.`)
  const rows = await readRange(db, { tenant_id, from: seq - 1, to: head.seq, limit: maxEntriesAfter + 2 })
  const row = rows.find((each) => each.seq === seq)
  const [leaf] = await readLeaves(db, [{ from: head.leaf, to: head.leaf + 1 }])
  if (row === undefined || leaf === undefined)
    throw new AuditTamperedError(`entry ${seq} of ${tenant_id} or its leaf is missing`)
  const tree = trees.get(leaf.index) ?? (await readTree(db, leaf))
  trees.set(leaf.index, tree)
  const texts = rowToTexts(row)
  return {
    entry: rowToEntry(row),
    ...(texts !== undefined && { texts }),
    before: toHex(rows.find((each) => each.seq === seq - 1)?.link ?? firstLink),
    after: rows.filter((each) => each.seq > seq).map((each) => toHex(entryHash(rowToEntry(each)))),
    new_heads_index: head.place,
    new_heads_path: tree.pathOf(head.place).map(toHex),
    leaf: rowToLeaf(leaf),
    leaf_index: leaf.index,
    leaf_path: await hashPath(db, inclusionSpans(leaf.index, size)),
    checkpoint,
    ...withHandovers({ handovers }),
  }
}

async function readTree(
  db: Db,
  { index, new_heads_count }: { index: number; new_heads_count: number },
): Promise<ReturnType<typeof buildTree>> {
  const heads = await readNewHeads(db, { from: index, to: index + 1, limit: new_heads_count })
  return buildTree(heads.map(serializeHead))
}
