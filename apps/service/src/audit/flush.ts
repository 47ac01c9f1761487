import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { saveCheckpoint } from './log/save-checkpoint.ts'
import { sequenceAudit } from './chain/sequence.ts'
import { signTick } from './log/sign-tick.ts'
import { isSigned, hasPending, readLastPendingId, readUnsignedChains } from './chain/history-store.ts'

/** How often it is tried while another node is at it, and how long: a node that died holds a shard for 5 s at most. */
const maxAttempts = 240
const pause_ms = 25

/**
 * Sees to it that all that was committed until now, for one tenant or for all, is chained and signed, whether or not a
 * worker runs: who reads the log has a right to what happened before.
 */
export async function flushAudit(
  ctx: Pick<Context, 'config' | 'db' | 'keyring'>,
  tenantId?: string,
): Promise<void> {
  const upTo = await readLastPendingId(ctx.db, tenantId)
  await retryUntil(async () => {
    await sequenceAudit(ctx)
    return !(await hasPending(ctx.db, upTo, tenantId))
  })
  const ends = await readUnsignedChains(ctx.db, tenantId)
  await retryUntil(async () => {
    await signTick({ ...ctx, pause_ms: 0 })
    return isSigned(ctx.db, ends)
  })
  await saveCheckpoint(ctx)
}

async function retryUntil(attempt: () => Promise<boolean>): Promise<void> {
  for (let tried = 0; tried < maxAttempts && !(await attempt()); tried += 1) await sleep(pause_ms)
}
