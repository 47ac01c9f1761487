import type { Invitation } from '@vidimus/contract'
import type { AccountsContext } from '../../context.ts'
import { Refusal } from '../../../engine/basics/index.ts'
import { findInvitation, type InvitationRow } from './store.ts'
import { signInMethods } from '../sessions/sign-in-methods.ts'
import { hashToken } from '../sessions/token.ts'

/** What an invitation link is for, if it is still valid. */
export async function readInvitation(
  ctx: Pick<AccountsContext, 'db' | 'config' | 'oidc'>,
  token: string,
): Promise<Invitation> {
  const { tenant_name, email, role, expires_at, returning } = await requireInvitation(ctx, token)
  return { tenant_name, email, role, expires_at, returning, ways: signInMethods(ctx) }
}

/** Unknown, used, withdrawn and expired links get the same refusal. */
export async function requireInvitation(
  { db }: Pick<AccountsContext, 'db'>,
  token: string,
): Promise<InvitationRow> {
  const invitation = await findInvitation(db, hashToken(token))
  if (invitation === undefined) throw invalidInvitation()
  return invitation
}

export function invalidInvitation(): Refusal {
  return new Refusal('invalid_invitation', 'This link is invalid, already used or expired.')
}
