import { mayGrantScope } from '@vidimus/contract'
import { appendAudit } from '../audit/append.ts'
import type { Db } from '../platform/db/open.ts'
import type { Member } from '../platform/principal.ts'
import { markRevoked, readUsableKeysOf, type KeyRow } from './store.ts'

type RevokeKeysOf = { by: Member; member: Member }

/** Revokes every usable key that a member created, in the transaction that removes the member. Returns their number. */
export async function revokeKeysOfMember(tx: Db, { by, member }: RevokeKeysOf): Promise<number> {
  return revoke(tx, { by, member }, 'member.removed', () => true)
}

/** Revokes the usable keys of a member that have a scope their role no longer lets them grant. `member` has the new role. */
export async function revokeKeysBeyondRole(tx: Db, { by, member }: RevokeKeysOf): Promise<number> {
  return revoke(tx, { by, member }, 'member.role_changed', ({ scopes }) =>
    scopes.some((scope) => !mayGrantScope(member.role, scope)),
  )
}

async function revoke(
  tx: Db,
  { by, member: { tenant_id, member_id } }: RevokeKeysOf,
  cause: string,
  affected: (key: KeyRow) => boolean,
): Promise<number> {
  const keys = (await readUsableKeysOf(tx, { tenant_id, member_id })).filter(affected)
  for (const { id, prefix } of keys) {
    await markRevoked(tx, { tenant_id, id })
    await appendAudit(tx, { action: 'key.revoked', by, subject: id, detail: { prefix, cause } })
  }
  return keys.length
}
