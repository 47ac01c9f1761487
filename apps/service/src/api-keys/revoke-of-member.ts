import { mayGrantScope } from '@vidimus/contract'
import { appendAudit, type Operator } from '../audit/append.ts'
import type { Db } from '../platform/db/open.ts'
import type { LedgerEntry } from '../platform/ledger/ledger.ts'
import type { Member } from '../platform/principal.ts'
import { markRevoked, readUsableKeysOfMember, type KeyRow } from './store.ts'

type RevokeMemberKeys = { by: Member | Operator; member: Member }

/** Revokes every usable key that a member created, in the transaction that removes the member. Returns what the caller records in the ledger. */
export async function revokeKeysOfMember(tx: Db, { by, member }: RevokeMemberKeys): Promise<LedgerEntry[]> {
  return revoke(tx, { by, member }, 'member.removed', () => true)
}

/** Revokes a member's usable keys with a scope that their role no longer lets them grant. `member` has the new role. */
export async function revokeKeysBeyondRole(tx: Db, { by, member }: RevokeMemberKeys): Promise<LedgerEntry[]> {
  return revoke(tx, { by, member }, 'member.role_changed', ({ scopes }) =>
    scopes.some((scope) => !mayGrantScope(member.role, scope)),
  )
}

async function revoke(
  tx: Db,
  { by, member: { tenant_id, member_id } }: RevokeMemberKeys,
  cause: string,
  isAffected: (key: KeyRow) => boolean,
): Promise<LedgerEntry[]> {
  const keys = (await readUsableKeysOfMember(tx, { tenant_id, member_id })).filter(isAffected)
  for (const { id, prefix } of keys) {
    await markRevoked(tx, { tenant_id, id })
    await appendAudit(tx, { action: 'key.revoked', by, subject: id, detail: { prefix, cause } })
  }
  return keys.map(({ id }) => ({ kind: 'api_key', id }))
}
