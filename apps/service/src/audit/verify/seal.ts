import {
  consistencySpans,
  hashSpan,
  inclusionSpans,
  readSignedCheckpoint,
  toHex,
  type Seal,
  type Span,
} from '@vidimus/evidence'
import type { Db } from '../../engine/db/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { readSubtrees } from '../log/read-subtrees.ts'
import type { AuditLog, LogState } from '../log/open-log.ts'
import { rowToLeaf } from '../log/row-to-leaf.ts'

export type SealChain = { tenant_id: string; since?: string | undefined }

/** The end of an export: proves that the tenant's head is in the newest checkpoint and, with `since`, that this continues an earlier one. */
export async function sealChain(db: Db, state: LogState, { tenant_id, since }: SealChain): Promise<Seal> {
  const { leaf, heads, log, frontier } = state
  const path = heads.pathOf(tenant_id)
  if (leaf === undefined || log.checkpoint === undefined || path === undefined)
    throw new Refusal('not_found', `There is no audit chain for tenant ${tenant_id}.`)
  return {
    checkpoint: log.checkpoint,
    leaf: rowToLeaf(leaf),
    heads_path: path.map(toHex),
    leaf_path: await hashPath(db, inclusionSpans(leaf.index, frontier.size)),
    ...(since !== undefined && {
      since: { checkpoint: since, path: await buildContinuationPath(db, state, since) },
    }),
    ...withHandovers(log),
  }
}

/** The handovers as a member of a line, which the lines of a log with its first key do not have. */
export function withHandovers({ handovers }: Pick<AuditLog, 'handovers'>): { handovers?: string[] } {
  return handovers.length === 0 ? {} : { handovers: [...handovers] }
}

/** Proves that the log continues an earlier checkpoint. */
export async function buildContinuationPath(
  db: Db,
  { log, frontier }: LogState,
  since: string,
): Promise<string[]> {
  const earlier = await readSignedCheckpoint(since, log.keys)
  if ('fault' in earlier) throw new Refusal('invalid_request', `The checkpoint ${earlier.fault}.`)
  if (earlier.size > frontier.size)
    throw new Refusal(
      'invalid_request',
      'The checkpoint is newer than the log. The log was truncated, or restored from a backup.',
    )
  return hashPath(db, consistencySpans(earlier.size, frontier.size))
}

export async function hashPath(db: Db, spans: readonly Span[]): Promise<string[]> {
  const hashOf = await readSubtrees(db, spans)
  return spans.map((span) => toHex(hashSpan(span, hashOf)))
}
