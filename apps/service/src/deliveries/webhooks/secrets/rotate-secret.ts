import type { Environment } from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../../audit/index.ts'
import type { Context } from '../../../engine/context.ts'
import { Refusal } from '../../../engine/basics/index.ts'
import { secretLedgerId } from '../revocable.ts'
import { insertSecret, newSealedSecret, retireSecrets } from '../../../accounts/index.ts'

/**
 * Gives a tenant a new secret in one environment, which is shown once. The previous one keeps signing for a day, so that receivers
 * can be updated in that time; an even older one stops now (HOOK-3). The other environment keeps its secret.
 */
export async function rotateWebhookSecret(
  { db, keyring, ledger }: Pick<Context, 'db' | 'keyring' | 'ledger'>,
  { by, environment }: { by: NewAuditEntry['by']; environment: Environment },
): Promise<string> {
  const { tenant_id } = by
  const { secret, sealed } = newSealedSecret(keyring)
  await db.transaction(async (tx) => {
    const retired = await retireSecrets(tx, { tenant_id, environment })
    if (retired.length === 0) throw new Refusal('not_found', `There is no tenant ${tenant_id}.`)

    await insertSecret(tx, { tenant_id, environment, sealed })
    await appendAudit(tx, { action: 'webhook_secret.rotated', by, detail: { environment } })
    await ledger.record(
      tx,
      retired.map((created_at) => ({
        kind: 'webhook_secret',
        id: secretLedgerId({ tenant_id, environment, created_at }),
      })),
    )
  })
  return secret
}
