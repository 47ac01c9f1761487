import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../engine/context.ts'
import { saveCheckpoint } from './log/save-checkpoint.ts'
import { sequenceAudit } from './chain/sequence.ts'
import { signTick } from './log/sign-tick.ts'
import { isSigned, hasPending, readLastPendingId, readUnsignedChains } from './chain/history-store.ts'

/** Retries while another node holds a lock; a node that died holds a shard for 5 s at most. */
const maxAttempts = 240
const pause_ms = 25

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
    await signTick({ ...ctx, pause_ms: 0 })
    return isSigned(ctx.db, chains)
  })
  await saveCheckpoint(ctx)
}

async function retryUntil(attempt: () => Promise<boolean>): Promise<void> {
  for (let count = 0; count < maxAttempts && !(await attempt()); count += 1) await sleep(pause_ms)
}
