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
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { AuditTamperedError } from '../append.ts'
import { rowToEntry, rowToTexts } from '../chain/sequence.ts'
import { buildContinuationPath, hashPath, withHandovers } from './seal.ts'
import { withConsistentSnapshot } from './export.ts'
import { readLogState, type LogState } from '../log/open-log.ts'
import { readRange } from '../chain/history-store.ts'
import { readCoveringHead, readNewHeads, readLeaves } from '../log/log-store.ts'
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

async function buildProof(
  db: Db,
  { log, frontier }: LogState,
  { tenant_id, seq }: ProveEntry,
): Promise<Proof> {
  const head = await readCoveringHead(db, { tenant_id, seq })
  if (head === undefined) throw new Refusal('not_found', `The chain of ${tenant_id} has no entry ${seq}.`)
  const rows = await readRange(db, { tenant_id, from: seq - 1, to: head.seq, limit: maxEntriesAfter + 2 })
  const row = rows.find((each) => each.seq === seq)
  const [leaf] = await readLeaves(db, [{ from: head.leaf, to: head.leaf + 1 }])
  if (row === undefined || leaf === undefined || log.checkpoint === undefined)
    throw new AuditTamperedError(`entry ${seq} of ${tenant_id} or its leaf is missing`)
  const newHeads = await readNewHeads(db, {
    from: leaf.index,
    to: leaf.index + 1,
    limit: leaf.new_heads_count,
  })
  const texts = rowToTexts(row)
  return {
    entry: rowToEntry(row),
    ...(texts !== undefined && { texts }),
    before: toHex(rows.find((each) => each.seq === seq - 1)?.link ?? firstLink),
    after: rows.filter((each) => each.seq > seq).map((each) => toHex(entryHash(rowToEntry(each)))),
    new_heads_index: head.place,
    new_heads_path: buildTree(newHeads.map(serializeHead)).pathOf(head.place).map(toHex),
    leaf: rowToLeaf(leaf),
    leaf_index: leaf.index,
    leaf_path: await hashPath(db, inclusionSpans(leaf.index, frontier.size)),
    checkpoint: log.checkpoint,
    ...withHandovers(log),
  }
}
