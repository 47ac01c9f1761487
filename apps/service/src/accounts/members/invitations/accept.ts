import { appendAudit } from '../../../audit/index.ts'
import type { Db } from '../../../engine/db/index.ts'
import type { LedgerEntry } from '../../../engine/ledger/index.ts'
import type { Member } from '../../../engine/basics/index.ts'
import { spendInvitation, type InvitationRow } from './store.ts'
import { memberFromRow } from '../sessions/open.ts'
import { invalidInvitation } from './read.ts'
import { markReturnLinkUsed } from './return-link-store.ts'
import { toEndedSession } from '../sessions/ended-session.ts'
import { deleteSessions } from '../sessions/store.ts'
import { findMember, insertMember, lockTeam } from '../store.ts'

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
