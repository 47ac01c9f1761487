import {
  entryHash,
  firstLink,
  headContent,
  inclusionSpans,
  mostAfter,
  toHex,
  treeOf,
  writeLine,
  type Proof,
} from '@vidimus/evidence'
import type { Context } from '../context.ts'
import type { Db } from '../platform/db/open.ts'
import { Refusal } from '../platform/refusal.ts'
import { AuditBroken } from './broken.ts'
import { entryOf } from './entry-of.ts'
import { openedTexts } from './read-lines.ts'
import { continuationPath, hashPath } from './seal.ts'
import { atSettledMoment } from './snapshot.ts'
import { readStanding, type Standing } from './standing.ts'
import { readPiece } from './history-store.ts'
import { readHeadOver, readNewHeads, readTicks } from './log-store.ts'
import { tickOf } from './tick-of.ts'

type Ctx = Pick<Context, 'config' | 'db' | 'keyring'>

export type ProveEntry = { tenant_id: string; seq: number }

/** One line that shows an entry to be in the signed log, and tells nothing of the rest of its chain. */
export async function proveEntry(ctx: Ctx, wanted: ProveEntry): Promise<string> {
  return atSettledMoment(ctx, wanted.tenant_id, async (tx) =>
    writeLine({ proof: await buildProof(tx, await readStanding(ctx, tx), wanted) }),
  )
}

/** One line that shows the newest checkpoint to continue an earlier one. */
export async function proveContinuation(ctx: Ctx, first: string): Promise<string> {
  return atSettledMoment(ctx, undefined, async (tx) => {
    const standing = await readStanding(ctx, tx)
    const path = await continuationPath(tx, standing, first)
    return writeLine({ continuation: { first, second: standing.log.checkpoint ?? '', path } })
  })
}

async function buildProof(
  db: Db,
  { log, frontier }: Standing,
  { tenant_id, seq }: ProveEntry,
): Promise<Proof> {
  const head = await readHeadOver(db, { tenant_id, seq })
  if (head === undefined) throw new Refusal('not_found', `The chain of ${tenant_id} has no entry ${seq}.`)
  const rows = await readPiece(db, { tenant_id, from: seq - 1, to: head.seq, limit: mostAfter + 2 })
  const row = rows.find((each) => each.seq === seq)
  const [tick] = await readTicks(db, [{ from: head.tick, to: head.tick + 1 }])
  if (row === undefined || tick === undefined || log.checkpoint === undefined)
    throw new AuditBroken(`entry ${seq} of ${tenant_id} or its tick is missing`)
  const newHeads = await readNewHeads(db, {
    from: tick.index,
    to: tick.index + 1,
    limit: tick.new_heads_count,
  })
  const texts = openedTexts(row)
  return {
    entry: entryOf(row),
    ...(texts !== undefined && { texts }),
    before: toHex(rows.find((each) => each.seq === seq - 1)?.link ?? firstLink),
    after: rows.filter((each) => each.seq > seq).map((each) => toHex(entryHash(entryOf(each)))),
    new_heads_index: head.place,
    new_heads_path: treeOf(newHeads.map(headContent)).pathOf(head.place).map(toHex),
    tick: tickOf(tick),
    tick_index: tick.index,
    tick_path: await hashPath(db, inclusionSpans(tick.index, frontier.size)),
    checkpoint: log.checkpoint,
  }
}
