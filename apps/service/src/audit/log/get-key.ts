import type { AuditKey } from '@vidimus/contract'
import { toVerifierKey, writePublicKey } from '@vidimus/evidence'
import type { Context } from '../../context.ts'
import { openLog } from './open-log.ts'

/** The public key that verifies checkpoints, as PEM and as a verifier key for transparency tools, with the log's origin. */
export async function getAuditKey(ctx: Pick<Context, 'config' | 'db' | 'keyring'>): Promise<AuditKey> {
  const { key } = await openLog(ctx, ctx.db)
  return {
    public_key: writePublicKey(key.publicKey),
    origin: key.name,
    verifier_key: toVerifierKey(key.name, key.publicKey),
  }
}
