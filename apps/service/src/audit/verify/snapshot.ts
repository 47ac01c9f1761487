import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { flushAudit } from '../flush.ts'
import { hasUnsignedErasure, beginSnapshot } from '../chain/history-store.ts'

const maxAttempts = 20

/**
 * Reads the log, of one tenant or of all, in a snapshot in which every erasure that deleted texts has its signed entry;
 * otherwise those texts would seem to be missing without a reason. A concurrent erasure makes it try again.
 */
export async function withConsistentSnapshot<Result>(
  ctx: Pick<Context, 'config' | 'db' | 'keyring'>,
  tenant_id: string | undefined,
  read: (tx: Db) => Promise<Result>,
  limits?: { statement_ms: number },
): Promise<Result> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    await flushAudit(ctx, tenant_id)
    const snapshot = await ctx.db.transaction(async (tx) => {
      await beginSnapshot(tx)
      return (await hasUnsignedErasure(tx, tenant_id)) ? undefined : { result: await read(tx) }
    }, limits)
    if (snapshot !== undefined) return snapshot.result
  }
  throw new Refusal(
    'overloaded',
    'Too many erasures are in progress to read the audit log. Try again in a moment.',
  )
}
