import { may } from '@vidimus/contract'
import { type Operator, appendAudit, toAuditActor } from '../../../audit/index.ts'
import type { Db } from '../../../engine/db/index.ts'
import type { LedgerEntry } from '../../../engine/ledger/index.ts'
import type { Member } from '../../../engine/basics/index.ts'
import { deleteInvitation, readInvitations, type InvitationRow } from './store.ts'
import { canManageRole } from '../can-manage-role.ts'

type WithdrawInvitations = {
  by: Member | Operator
  member: Member
  cause: 'member.removed' | 'member.role_changed'
}

/** Withdraws every link that would let a removed member back in: those made for them and those they made. */
export async function withdrawInvitationsOfRemoved(
  tx: Db,
  { by, member }: Omit<WithdrawInvitations, 'cause'>,
) {
  return withdraw(tx, { by, member, cause: 'member.removed' }, (invitation) => {
    return invitation.member_id === member.member_id || wasMadeBy(invitation, member)
  })
}

/** Withdraws the links a member made for roles they may no longer grant. `member` has the new role. */
export async function withdrawInvitationsBeyondRole(
  tx: Db,
  { by, member }: Omit<WithdrawInvitations, 'cause'>,
) {
  return withdraw(tx, { by, member, cause: 'member.role_changed' }, (invitation) => {
    const grantable = may(member.role, 'manage_team') && canManageRole(member, invitation.role)
    return wasMadeBy(invitation, member) && !grantable
  })
}

async function withdraw(
  tx: Db,
  { by, member: { tenant_id }, cause }: WithdrawInvitations,
  isAffected: (invitation: InvitationRow) => boolean,
): Promise<LedgerEntry[]> {
  const invitations = (await readInvitations(tx, tenant_id)).filter(isAffected)
  for (const { id, email } of invitations) {
    await deleteInvitation(tx, { tenant_id, id })
    await appendAudit(tx, { action: 'member.invitation_withdrawn', by, subject: email, detail: { cause } })
  }
  return invitations.map(({ id }) => ({ kind: 'invitation', id }))
}

function wasMadeBy({ inviter }: InvitationRow, member: Member): boolean {
  return inviter === toAuditActor(member)
}
