import type { Context } from '../../../engine/context.ts'
import { type NewAuditEntry, appendAudit } from '../../../audit/index.ts'
import { Refusal } from '../../../engine/basics/index.ts'
import { makeSigningKeys } from './issuer.ts'
import { hasPendingKey, insertKeys, lockIssuer } from './store.ts'

/** Longer than clients may cache the published keys (`jwksMaxAge_seconds`). */
export const newKeyDelay_seconds = 600

/**
 * Publishes new keys, which sign after a delay, when every client can know them. The old ones stay published for a day after
 * that, and are then deleted.
 */
export async function rotateSigningKeys(
  { db, keyring }: Pick<Context, 'db' | 'keyring'>,
  { by }: { by: NewAuditEntry['by'] },
): Promise<{ key_ids: string[] }> {
  const keys = await makeSigningKeys({ keyring })
  await db.transaction(async (tx) => {
    if (!(await lockIssuer(tx, by.tenant_id)))
      throw new Refusal('not_found', 'The tenant has no OpenID client yet.')
    if (await hasPendingKey(tx, by.tenant_id))
      throw new Refusal('too_many', 'New keys were published a few minutes ago and do not sign yet.')
    await insertKeys(tx, { tenant_id: by.tenant_id, keys, delay_seconds: newKeyDelay_seconds })
    await appendAudit(tx, {
      action: 'openid_issuer.keys_rotated',
      by,
      detail: { key_ids: keys.map(({ id }) => id) },
    })
  })
  return { key_ids: keys.map(({ id }) => id) }
}
