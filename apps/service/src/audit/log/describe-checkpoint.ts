import { readSignedCheckpoint, toHex } from '@vidimus/evidence'
import type { Context } from '../../engine/context.ts'
import { readChain } from '../chain/history-store.ts'
import { openLog } from './open-log.ts'

/** The end of a tenant's chain and the checkpoint of the log that covers it, for an entry in the log of another cell. */
export async function describeCheckpoint(
  ctx: Pick<Context, 'config' | 'db' | 'keyring'>,
  tenant_id: string,
): Promise<Record<string, unknown>> {
  const chain = await readChain(ctx.db, tenant_id)
  const log = await openLog(ctx, ctx.db)
  const checkpoint = await readSignedCheckpoint(log.checkpoint ?? '', log.keys)
  if (chain === undefined || chain.signed_seq !== chain.seq || 'fault' in checkpoint)
    throw new Error('the chain is not signed completely')
  return {
    origin: log.key.name,
    checkpoint_size: checkpoint.size,
    checkpoint_root: toHex(checkpoint.root),
    seq: chain.seq,
    link: toHex(chain.link),
  }
}
