import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../engine/context.ts'
import type { Db } from '../engine/db/index.ts'
import { AuditTamperedError } from './append.ts'
import { saveCheckpoint } from './log/save-checkpoint.ts'
import { sequenceAudit } from './chain/sequence.ts'
import { signLeaf } from './log/sign-leaf.ts'
import { isSigned, hasPending, readLastPendingId, readUnsignedChains } from './chain/history-store.ts'
import { readAuditState } from './chain/store.ts'

/** The least time between leaves; each costs one signature and one flush to disk. */
const pause_ms = 1000

/** The checkpoint when a round found the log in order. With no entries and no other checkpoint since, a round has nothing to do. */
const lastCheckpoints = new WeakMap<Db, string | null>()

/**
 * One round of the worker: chains the new entries and, at most once a second, signs the state of all chains. False if nothing
 * has changed since the last round, which one statement tells.
 */
export async function advanceAudit(ctx: Context): Promise<boolean> {
  const { db, metrics } = ctx
  const { lag_seconds, is_unsigned, checkpoint } = await readAuditState(db)
  metrics.auditLag.set(lag_seconds ?? 0)
  if (lag_seconds === null && !is_unsigned && lastCheckpoints.get(db) === checkpoint) return false
  lastCheckpoints.delete(db)
  try {
    metrics.auditSequenced.inc(await sequenceAudit(ctx))
    await signLeaf({ ...ctx, pause_ms })
    await saveCheckpoint(ctx)
    metrics.auditBroken.set(0)
    lastCheckpoints.set(db, checkpoint)
    return true
  } catch (error) {
    if (error instanceof AuditTamperedError) metrics.auditBroken.set(1)
    throw error
  }
}

/** Retries of a flush while another node holds a lock; a node that died holds a shard for 5 s at most. */
const maxAttempts = 240
const retryPause_ms = 25

/**
 * Chains and signs everything committed so far, of one tenant or of all, whether or not a worker is running: a reader of the
 * log must see every earlier change.
 */
export async function flushAudit(
  ctx: Pick<Context, 'config' | 'db' | 'keyring'>,
  tenant_id?: string,
): Promise<void> {
  const lastId = await readLastPendingId(ctx.db, tenant_id)
  await retryUntil(async () => {
    await sequenceAudit(ctx)
    return !(await hasPending(ctx.db, lastId, tenant_id))
  })
  const chains = await readUnsignedChains(ctx.db, tenant_id)
  await retryUntil(async () => {
    await signLeaf({ ...ctx, pause_ms: 0 })
    return isSigned(ctx.db, chains)
  })
  await saveCheckpoint(ctx)
}

async function retryUntil(attempt: () => Promise<boolean>): Promise<void> {
  for (let count = 0; count < maxAttempts && !(await attempt()); count += 1) await sleep(retryPause_ms)
}
