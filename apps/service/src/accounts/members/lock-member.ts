import { may, type Permission, type Role } from '@vidimus/contract'
import type { NewAuditEntry } from '../../audit/index.ts'
import type { Db } from '../../engine/db/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { findMember, lockMemberRow } from './store.ts'

type Actor = NewAuditEntry['by']

/**
 * Locks the row of the acting member and checks that they still belong to the tenant and may still do this: the session
 * was checked before the transaction began. Removals and role changes wait for the lock, so they find and withdraw what
 * is created under it. Returns the actor with the current role. Keys, devices and operators are returned unchanged.
 */
export async function lockActingMember<By extends Actor>(
  tx: Db,
  by: By,
  ...permissions: readonly Permission[]
): Promise<By> {
  if (by.kind !== 'member') return by
  const row = await lockMemberRow(tx, { tenant_id: by.tenant_id, id: by.member_id })
  if (row === undefined) throw new Refusal('not_signed_in', 'Sign in to continue.')
  if (!permissions.every((permission) => may(row.role, permission)))
    throw new Refusal('role_not_allowed', `The role ${row.role} does not allow this.`)
  return { ...by, role: row.role }
}

/** The member who answers for what this actor makes. Null for an operator. */
export function makerOf(by: Actor): string | null {
  return by.kind === 'member' ? by.member_id : null
}

/** The role of a member. Undefined if the tenant has no such member. */
export async function findRole(db: Db, member: { tenant_id: string; id: string }): Promise<Role | undefined> {
  return (await findMember(db, member))?.role
}
