import type { Role } from '@vidimus/contract'
import type { Operator } from '../../audit/index.ts'
import type { Member } from '../../engine/basics/index.ts'

/** Whether the actor may invite, change or remove members of this role. Only owners and the operator manage owners. */
export function canManageRole(by: Member | Operator, role: Role): boolean {
  return by.kind === 'operator' || by.role === 'owner' || role !== 'owner'
}
