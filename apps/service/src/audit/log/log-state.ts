import {
  hashSpan,
  joinPeaks,
  newHeadsMap,
  readSignedCheckpoint,
  sameBytes,
  splitIntoSubtrees,
  type Frontier,
  type HeadsMap,
} from '@vidimus/evidence'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { AuditTamperedError } from '../audit-tampered-error.ts'
import { openLog, type AuditLog } from './open-log.ts'
import { readSubtrees } from './read-subtrees.ts'
import { readLastTick, readSignedHeads, type TickRow } from './log-store.ts'

/** The state of the log at its newest tick. */
export type LogState = { log: AuditLog; tick: TickRow | undefined; frontier: Frontier; heads: HeadsMap }

const page = 10_000

/** Reads the state of the log and checks it against its signature: an altered log must not be continued. */
export async function readLogState(ctx: Pick<Context, 'config' | 'keyring'>, db: Db): Promise<LogState> {
  const log = await openLog(ctx, db)
  const tick = await readLastTick(db)
  const frontier = await readFrontier(db, tick === undefined ? 0 : tick.index + 1)
  const heads = await readHeads(db)
  if (tick === undefined) {
    if (log.checkpoint !== undefined) throw new AuditTamperedError('there is a checkpoint but no tick')
    if (heads.count() > 0) throw new AuditTamperedError('there are signed heads but no tick')
  } else {
    const checkpoint = await readSignedCheckpoint(log.checkpoint ?? '', log.keys)
    if ('fault' in checkpoint) throw new AuditTamperedError(`the checkpoint ${checkpoint.fault}`)
    if (checkpoint.key !== log.keys.given)
      throw new AuditTamperedError('the checkpoint is signed with a key that was replaced')
    if (checkpoint.size !== frontier.size || !sameBytes(checkpoint.root, joinPeaks(frontier.peaks)))
      throw new AuditTamperedError('the ticks do not match the signed checkpoint')
    if (heads.count() !== tick.heads_count || !sameBytes(heads.root(), tick.heads_root))
      throw new AuditTamperedError('the heads do not match the signed tick')
  }
  return { log, tick, frontier, heads }
}

async function readFrontier(db: Db, size: number): Promise<Frontier> {
  const spans = splitIntoSubtrees({ from: 0, to: size }).map(({ height, index }) => ({
    from: index * 2 ** height,
    to: (index + 1) * 2 ** height,
  }))
  const hashOf = await readSubtrees(db, spans)
  return { size, peaks: spans.map((span) => hashSpan(span, hashOf)) }
}

async function readHeads(db: Db): Promise<HeadsMap> {
  const map = newHeadsMap()
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await readSignedHeads(db, { after, limit: page })
    for (const head of rows) map.set(head)
    const last = rows.at(-1)
    if (last === undefined || rows.length < page) return map
    after = last.tenant_id
  }
}
