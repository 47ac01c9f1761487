import type { Environment } from '@vidimus/contract'
import { appendAudit, type NewAuditEntry } from '../audit/append.ts'
import type { Context } from '../context.ts'
import { notFound } from '../platform/refusal.ts'
import { markRevoked, type KeyRow } from './store.ts'

export type RevokeKey = {
  by: NewAuditEntry['by']
  key_id: string
  /** The key has to be of this one; absent: of either. */
  environment?: Environment
}

/** Ends a key for good. The next request that carries it is refused, on every node: nothing remembers keys (AUTH-12). */
export async function revokeKey(
  { db }: Pick<Context, 'db'>,
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
    return row
  })
}
