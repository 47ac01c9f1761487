import type { AuditKey } from '@vidimus/contract'
import { toVerifierKey, writePublicKey } from '@vidimus/evidence'
import type { Context } from '../../engine/context.ts'
import { openLog } from './open-log.ts'

/**
 * The public key that verifies checkpoints, as PEM and as a verifier key for transparency tools, with the log's origin; and the log's
 * first key with the handovers that lead from it to this one.
 */
export async function getAuditKey(ctx: Pick<Context, 'config' | 'db' | 'keyring'>): Promise<AuditKey> {
  const { key, keys, handovers } = await openLog(ctx, ctx.db)
  return {
    public_key: writePublicKey(key.publicKey),
    origin: key.name,
    verifier_key: toVerifierKey(key.name, key.publicKey),
    first_public_key: writePublicKey(keys.keys[0]?.publicKey ?? key.publicKey),
    handovers: [...handovers],
  }
}
