import type { Invitation } from '@vidimus/contract'
import { appendAudit, recordsAsService } from '../../../audit/index.ts'
import { type Member, Refusal } from '../../../engine/basics/index.ts'
import type { Db } from '../../../engine/db/index.ts'
import type { LedgerEntry } from '../../../engine/ledger/index.ts'
import type { AccountsContext } from '../../context.ts'
import { hashToken } from '../../sign-in/tokens.ts'
import { memberFromRow, signInMethods, toEndedSession } from '../sessions/open-session.ts'
import { deleteSessions } from '../sessions/store.ts'
import { openTenant } from '../../tenants/create.ts'
import { spendSignUp, findSignUp } from '../sign-ups/store.ts'
import { findMember, insertMember, lockTeam } from '../store.ts'
import { type InvitationRow, findInvitation, markReturnLinkUsed, spendInvitation } from './store.ts'

/**
 * Redeems an invitation: creates its member, or finds the existing one. A member who comes back has lost a device, so their
 * other sessions end. A sign-up is redeemed alike, and opens its tenant first. The caller adds the passkey or identity in the same
 * transaction, and records what ended in the ledger.
 */
export async function acceptInvitation(
  ctx: Pick<AccountsContext, 'config' | 'keyring'>,
  tx: Db,
  { invitation, token_hash, name }: { invitation: InvitationRow; token_hash: Buffer; name: string },
): Promise<{ member: Member; ended: LedgerEntry[] }> {
  const { tenant_id, member_id: id, email, role } = invitation
  await lockTeam(tx, tenant_id)
  const spent = invitation.signing_up
    ? await openSignedUp(ctx, tx, { invitation, token_hash })
    : await spendInvitation(tx, token_hash)
  if (!spent) throw invalidInvitation()

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
    ended: [
      // A sign-up expires before a backup could be restored.
      ...(invitation.signing_up ? [] : [{ kind: 'invitation' as const, id: invitation.id }]),
      ...sessions.map(toEndedSession),
    ],
  }
}

/** Creates the tenant of a sign-up. False if its link was used, has expired, or nobody may sign up any more. */
async function openSignedUp(
  ctx: Pick<AccountsContext, 'config' | 'keyring'>,
  tx: Db,
  { invitation: { id, tenant_name: name }, token_hash }: { invitation: InvitationRow; token_hash: Buffer },
): Promise<boolean> {
  const { SIGN_UP } = ctx.config
  if (SIGN_UP === 'off' || !(await spendSignUp(tx, token_hash))) return false
  const approval = SIGN_UP === 'waitlist' ? 'waiting' : 'pending'
  await openTenant(tx, ctx, {
    id,
    name,
    by: 'service',
    approval,
    record: (recording, detail) =>
      recordsAsService('installation.tenant_signed_up')(recording, { ...detail, approval }),
  })
  return true
}

/** What an invitation link is for, if it is still valid. */
export async function readInvitation(
  ctx: Pick<AccountsContext, 'db' | 'config' | 'oidc'>,
  token: string,
): Promise<Invitation> {
  const { tenant_name, email, role, expires_at, returning, signing_up } = await requireInvitation(ctx, token)
  return { tenant_name, email, role, expires_at, returning, signing_up, methods: signInMethods(ctx) }
}

/** The invitation or sign-up of a link. Unknown, used, withdrawn and expired links get the same refusal. */
export async function requireInvitation(
  { db }: Pick<AccountsContext, 'db'>,
  token: string,
): Promise<InvitationRow> {
  const token_hash = hashToken(token)
  const invitation = (await findInvitation(db, token_hash)) ?? (await findSignUp(db, token_hash))
  if (invitation === undefined) throw invalidInvitation()
  return invitation
}

function invalidInvitation(): Refusal {
  return new Refusal('invalid_invitation', 'This link is invalid, already used or expired.')
}
