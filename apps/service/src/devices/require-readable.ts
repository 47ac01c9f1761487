import { may, type Role } from '@vidimus/contract'
import { Refusal } from '../engine/basics/index.ts'

/**
 * Refuses a template that discloses claims to a device whose maker has a role that may not read them: who pairs a device sees what it
 * sees. Without a role, the maker is an operator. A template may disclose more later, so a device is checked again when it asks.
 */
export function requireReadable(
  role: Role | undefined,
  disclosing: string | undefined,
  advice = 'Choose templates that only answer yes or no, or ask a developer, an admin or an owner.',
): void {
  if (disclosing === undefined || role === undefined || may(role, 'read_claims')) return
  throw new Refusal(
    'role_not_allowed',
    `The template ${disclosing} shows claims, which the role ${role} may not read. ${advice}`,
  )
}
