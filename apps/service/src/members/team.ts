import type { Role, Team } from '@vidimus/contract'
import { appendAudit } from '../audit/append.ts'
import type { Context } from '../context.ts'
import type { Db } from '../platform/db/open.ts'
import type { Member } from '../platform/principal.ts'
import { Refusal, unknown } from '../platform/refusal.ts'
import { deleteInvitation, findInvitationById, readInvitations } from './invitation-store.ts'
import { viewInvitation } from './invite.ts'
import { mayTouch } from './may-touch.ts'
import { deleteMember, findMember, lockTeam, readMembers, updateRole, type MemberRow } from './store.ts'

/** Who belongs to a tenant, and who is invited to. */
export async function listTeam({ db }: Pick<Context, 'db'>, by: Member): Promise<Team> {
  const members = await readMembers(db, by.tenant_id)
  const invitations = await readInvitations(db, by.tenant_id)
  return {
    members: members.map((row) => viewMember(row, by)),
    invitations: invitations.map(viewInvitation),
  }
}

/** Holds from the member's next request on. */
export async function changeRole(
  ctx: Pick<Context, 'db'>,
  by: Member,
  { id, role }: { id: string; role: Role },
): Promise<Team> {
  await ctx.db.transaction(async (tx) => {
    const member = await touch(tx, by, id)
    if (!mayTouch(by, role)) throw new Refusal('role_not_allowed', 'Only an owner makes an owner.')
    if (role !== 'owner') await keepAnOwner(tx, member)
    await updateRole(tx, { tenant_id: by.tenant_id, id, role })
    await appendAudit(tx, {
      action: 'member.role_changed',
      by,
      subject: id,
      detail: { from: member.role, to: role },
    })
  })
  return listTeam(ctx, by)
}

/** Ends a membership, with every passkey and session. */
export async function removeMember(ctx: Pick<Context, 'db'>, by: Member, id: string): Promise<Team> {
  await ctx.db.transaction(async (tx) => {
    const member = await touch(tx, by, id)
    await keepAnOwner(tx, member)
    await deleteMember(tx, { tenant_id: by.tenant_id, id })
    await appendAudit(tx, { action: 'member.removed', by, subject: id, detail: { role: member.role } })
  })
  return listTeam(ctx, by)
}

export async function withdrawInvitation(ctx: Pick<Context, 'db'>, by: Member, id: string): Promise<Team> {
  const { tenant_id } = by
  await ctx.db.transaction(async (tx) => {
    await lockTeam(tx, tenant_id)
    const invitation = await findInvitationById(tx, { tenant_id, id })
    if (invitation === undefined) throw unknown('invitation_not_found')
    if (!mayTouch(by, invitation.role))
      throw new Refusal('role_not_allowed', "Only an owner withdraws an owner's invitation.")
    await deleteInvitation(tx, { tenant_id, id })
    await appendAudit(tx, { action: 'member.invitation_withdrawn', by, subject: invitation.email })
  })
  return listTeam(ctx, by)
}

async function touch(tx: Db, by: Member, id: string): Promise<MemberRow> {
  await lockTeam(tx, by.tenant_id)
  const member = await findMember(tx, { tenant_id: by.tenant_id, id })
  if (member === undefined) throw unknown('member_not_found')
  if (!mayTouch(by, member.role)) throw new Refusal('role_not_allowed', 'Only an owner changes an owner.')
  return member
}

async function keepAnOwner(tx: Db, { tenant_id, id, role }: MemberRow): Promise<void> {
  if (role !== 'owner') return
  const others = (await readMembers(tx, tenant_id)).filter((each) => each.role === 'owner' && each.id !== id)
  if (others.length === 0)
    throw new Refusal('last_owner', 'This is the last owner. Make somebody else one first.')
}

function viewMember(row: MemberRow, by: Member): Team['members'][number] {
  const { id, name, email, role, passkeys, oidc_linked } = row
  return {
    id,
    name,
    email,
    role,
    joined_at: row.created_at,
    ...(row.last_seen_at !== null && { last_seen_at: row.last_seen_at }),
    passkeys,
    oidc_linked,
    you: id === by.member_id,
  }
}
