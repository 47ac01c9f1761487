import { appendAudit } from '../../audit/append.ts'
import type { Db } from '../../platform/db/open.ts'
import type { Member } from '../../platform/principal.ts'
import { spendInvitation, type InvitationRow } from './store.ts'
import { memberFromRow } from '../sessions/open.ts'
import { invalidInvitation } from './read.ts'
import { markReturnLinkUsed } from './return-link-store.ts'
import { deleteSessions } from '../sessions/store.ts'
import { findMember, insertMember, lockTeam } from '../store.ts'

/**
 * Spends an invitation and makes its member, or finds the one who is there. Whoever came back has lost a device: sessions
 * that are open elsewhere end. The way in is added by the caller, in the same transaction.
 */
export async function acceptInvitation(
  tx: Db,
  { invitation, token_hash, name }: { invitation: InvitationRow; token_hash: Buffer; name: string },
): Promise<Member> {
  const { tenant_id, member_id: id, email, role } = invitation
  await lockTeam(tx, tenant_id)
  if (!(await spendInvitation(tx, token_hash))) throw invalidInvitation()

  const created = await insertMember(tx, { tenant_id, id, email, name, role })
  const member = await findMember(tx, { tenant_id, id })
  // The address joined by another link, or the member it was for has been removed and asked back under a new id.
  if (member === undefined) throw invalidInvitation()
  if (!created) {
    await deleteSessions(tx, { tenant_id, member_id: id })
    await markReturnLinkUsed(tx, { tenant_id, id: invitation.id })
  }
  const by = memberFromRow(member)
  await appendAudit(tx, {
    action: created ? 'member.joined' : 'member.returned',
    by,
    subject: id,
    detail: { role: member.role, link_by: invitation.inviter },
  })
  return by
}
