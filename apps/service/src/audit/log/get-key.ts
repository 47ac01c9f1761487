import type { AuditKey } from '@vidimus/contract'
import { toVerifierKey, writePublicKey } from '@vidimus/evidence'
import type { Context } from '../../context.ts'
import { openLog } from './open-log.ts'

/** The key that checkpoints are checked with, in the forms that people and transparency tools take, and the log it signs. */
export async function getAuditKey(ctx: Pick<Context, 'config' | 'db' | 'keyring'>): Promise<AuditKey> {
  const { key } = await openLog(ctx, ctx.db)
  return {
    public_key: writePublicKey(key.publicKey),
    origin: key.name,
    verifier_key: toVerifierKey(key.name, key.publicKey),
  }
}
