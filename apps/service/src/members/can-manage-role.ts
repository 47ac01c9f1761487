import type { Role } from '@vidimus/contract'
import type { Operator } from '../audit/append.ts'
import type { Member } from '../platform/principal.ts'

/** Whether somebody may make, change or remove a member of this role: nobody but an owner lifts anyone to where owners are. */
export function canManageRole(by: Member | Operator, role: Role): boolean {
  return by.kind === 'operator' || by.role === 'owner' || role !== 'owner'
}
