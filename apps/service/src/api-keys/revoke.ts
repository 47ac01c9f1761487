import { appendAudit, type Operator } from '../audit/append.ts'
import type { Context } from '../context.ts'
import type { Principal } from '../platform/principal.ts'
import { Refusal } from '../platform/refusal.ts'
import { markRevoked, type KeyRow } from './store.ts'

export type RevokeKey = { by: Principal | Operator; key_id: string }

/** Ends a key for good. The next request that carries it is refused, on every node: nothing remembers keys (AUTH-12). */
export async function revokeKey({ db }: Pick<Context, 'db'>, { by, key_id }: RevokeKey): Promise<KeyRow> {
  return db.transaction(async (tx) => {
    const row = await markRevoked(tx, { tenant_id: by.tenant_id, id: key_id })
    if (row === undefined) throw new Refusal('not_found', `The tenant has no key ${key_id}.`)
    await appendAudit(tx, { action: 'key.revoked', by, subject: key_id, detail: { prefix: row.prefix } })
    return row
  })
}
