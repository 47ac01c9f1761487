import type { Invitation } from '@vidimus/contract'
import { appendAudit } from '../../../audit/index.ts'
import { type Member, Refusal } from '../../../engine/basics/index.ts'
import type { Db } from '../../../engine/db/index.ts'
import type { LedgerEntry } from '../../../engine/ledger/index.ts'
import type { AccountsContext } from '../../context.ts'
import { hashToken } from '../../sign-in/tokens.ts'
import { memberFromRow, signInMethods, toEndedSession } from '../sessions/open-session.ts'
import { deleteSessions } from '../sessions/store.ts'
import { findMember, insertMember, lockTeam } from '../store.ts'
import { type InvitationRow, findInvitation, markReturnLinkUsed, spendInvitation } from './store.ts'

/**
 * Redeems an invitation: creates its member, or finds the existing one. A member who comes back has lost a device, so their
 * other sessions end. The caller adds the passkey or identity in the same transaction, and records what ended in the ledger.
 */
export async function acceptInvitation(
  tx: Db,
  { invitation, token_hash, name }: { invitation: InvitationRow; token_hash: Buffer; name: string },
): Promise<{ member: Member; ended: LedgerEntry[] }> {
  const { tenant_id, member_id: id, email, role } = invitation
  await lockTeam(tx, tenant_id)
  if (!(await spendInvitation(tx, token_hash))) throw invalidInvitation()

  const created = await insertMember(tx, { tenant_id, id, email, name, role })
  const member = await findMember(tx, { tenant_id, id })
  // The address joined through another link, or the invited member was removed and invited again under a new id.
  if (member === undefined) throw invalidInvitation()
  const sessions = created ? [] : await deleteSessions(tx, { tenant_id, member_id: id })
  if (!created) {
    await markReturnLinkUsed(tx, { tenant_id, id: invitation.id })
  }
  const by = memberFromRow(member)
  await appendAudit(tx, {
    action: created ? 'member.joined' : 'member.returned',
    by,
    subject: id,
    detail: { role: member.role, link_by: invitation.inviter },
  })
  return {
    member: by,
    ended: [{ kind: 'invitation', id: invitation.id }, ...sessions.map(toEndedSession)],
  }
}

/** What an invitation link is for, if it is still valid. */
export async function readInvitation(
  ctx: Pick<AccountsContext, 'db' | 'config' | 'oidc'>,
  token: string,
): Promise<Invitation> {
  const { tenant_name, email, role, expires_at, returning } = await requireInvitation(ctx, token)
  return { tenant_name, email, role, expires_at, returning, methods: signInMethods(ctx) }
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

function invalidInvitation(): Refusal {
  return new Refusal('invalid_invitation', 'This link is invalid, already used or expired.')
}
