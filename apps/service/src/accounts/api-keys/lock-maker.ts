import { may, type Permission, type Role } from '@vidimus/contract'
import type { NewAuditEntry } from '../../audit/index.ts'
import { findRole, lockActingMember } from '../members/lock-member.ts'
import type { Db } from '../../engine/db/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { lockUsableKey } from './store.ts'

/**
 * Who answers for what is being made. `member_id`: the member, also if an API key of theirs makes it. `role` is the member's now;
 * undefined for what an operator or a key of an operator makes, which no role limits.
 */
export type Maker = { member_id: string | null; key_id: string | null; role: Role | undefined }

/**
 * Finds the maker, who must be allowed to do this, and locks the member or the key until the transaction ends: a removal or a change
 * of role waits, and then finds what was made.
 */
export async function lockMaker(
  tx: Db,
  by: NewAuditEntry['by'],
  ...permissions: readonly Permission[]
): Promise<Maker> {
  const actor = await lockActingMember(tx, by, ...permissions)
  if (actor.kind === 'member') return { member_id: actor.member_id, key_id: null, role: actor.role }
  if (actor.kind !== 'key') return { member_id: null, key_id: null, role: undefined }
  const { tenant_id, key_id } = actor
  const key = await lockUsableKey(tx, { tenant_id, id: key_id })
  if (key === undefined) throw new Refusal('invalid_api_key', 'The API key is not valid.')
  const role = key.created_by === null ? undefined : await findRole(tx, { tenant_id, id: key.created_by })
  if (role !== undefined && !permissions.every((permission) => may(role, permission)))
    throw new Refusal('insufficient_scope', `The role of this key's member, ${role}, does not allow this.`)
  return { member_id: key.created_by, key_id, role }
}
