import type { Environment } from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { notFound } from '../../engine/basics/index.ts'
import { markRevoked, type KeyRow } from './store.ts'

export type RevokeKey = {
  by: NewAuditEntry['by']
  key_id: string
  /** The environment that the key must belong to; either one if absent. */
  environment?: Environment
}

/** Revokes a key for good. Every node refuses it from the next request on, since every request validates its copy of the key (AUTH-12). */
export async function revokeKey(
  { db, ledger }: Pick<Context, 'db' | 'ledger'>,
  { by, key_id, environment }: RevokeKey,
): Promise<KeyRow> {
  return db.transaction(async (tx) => {
    const row = await markRevoked(tx, {
      tenant_id: by.tenant_id,
      id: key_id,
      ...(environment !== undefined && { environment }),
    })
    if (row === undefined) throw notFound('key_not_found')
    await appendAudit(tx, { action: 'key.revoked', by, subject: key_id, detail: { prefix: row.prefix } })
    await ledger.record(tx, [{ kind: 'api_key', id: key_id }])
    return row
  })
}
