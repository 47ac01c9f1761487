import { appendAudit, type NewAuditEntry } from '../../audit/append.ts'
import type { Context } from '../../context.ts'
import { Refusal } from '../../platform/refusal.ts'
import { newSealedSecret } from './seal-secret.ts'
import { insertSecret, retireSecrets } from './secret-store.ts'

/**
 * Gives a tenant a new secret, which is shown once. The previous one keeps signing for a day, so that receivers can be updated
 * in that time; an even older one stops now (HOOK-3).
 */
export async function rotateWebhookSecret(
  { db, keyring }: Pick<Context, 'db' | 'keyring'>,
  { by }: { by: NewAuditEntry['by'] },
): Promise<string> {
  const { tenant_id } = by
  const { secret, sealed } = newSealedSecret(keyring)
  await db.transaction(async (tx) => {
    const exists = await retireSecrets(tx, tenant_id)
    if (!exists) throw new Refusal('not_found', `There is no tenant ${tenant_id}.`)

    await insertSecret(tx, { tenant_id, sealed })
    await appendAudit(tx, { action: 'webhook_secret.rotated', by })
  })
  return secret
}
