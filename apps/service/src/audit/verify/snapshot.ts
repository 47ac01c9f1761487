import type { Context } from '../../context.ts'
import type { Db } from '../../platform/db/open.ts'
import { Refusal } from '../../platform/refusal.ts'
import { flushAudit } from '../flush.ts'
import { hasUnsignedErasure, beginSnapshot } from '../chain/history-store.ts'

const maxAttempts = 20

/**
 * Reads the log, for one tenant or for all, at one moment, at which every erasure that took texts away also has its signed entry: otherwise its
 * texts would seem to be missing without a reason. An erasure that comes in between makes it start again.
 */
export async function withConsistentSnapshot<Result>(
  ctx: Pick<Context, 'config' | 'db' | 'keyring'>,
  tenantId: string | undefined,
  read: (tx: Db) => Promise<Result>,
  limits?: { statement_ms: number },
): Promise<Result> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    await flushAudit(ctx, tenantId)
    const found = await ctx.db.transaction(async (tx) => {
      await beginSnapshot(tx)
      return (await hasUnsignedErasure(tx, tenantId)) ? undefined : { result: await read(tx) }
    }, limits)
    if (found !== undefined) return found.result
  }
  throw new Refusal(
    'overloaded',
    'Erasures follow each other too fast to read the audit log between them. Try again.',
  )
}
