import { type Role, type Team, roles } from '@vidimus/contract'
import { type Operator, appendAudit, listInvitationMails } from '../../audit/index.ts'
import { type KeyPrincipal, type Member, Refusal, notFound } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import type { LedgerEntry } from '../../engine/ledger/index.ts'
import { deleteExpiredSupportAccess } from '../support/store.ts'
import { canManageRole } from './can-manage-role.ts'
import { viewInvitation } from './invitations/invite.ts'
import { deleteInvitation, findInvitationById, readInvitations } from './invitations/store.ts'
import { withdrawInvitationsBeyondRole, withdrawInvitationsOfRemoved } from './invitations/withdraw.ts'
import { lockActingMember } from './me.ts'
import { roleLedgerId } from './member-access.ts'
import { memberFromRow } from './sessions/open-session.ts'
import {
  type MemberRow,
  type MemberToNotifyRow,
  deleteExpired,
  deleteMember,
  findMember,
  lockMemberForUpdate,
  lockTeam,
  readMemberNames,
  readMembers,
  readMembersToNotify,
  readTenantName,
  updateRole,
} from './store.ts'

/** A tenant's members and open invitations. */
export async function listTeam({ db }: Pick<Context, 'db'>, by: Member | KeyPrincipal): Promise<Team> {
  const members = await readMembers(db, by.tenant_id)
  const invitations = await readInvitations(db, by.tenant_id)
  const mails = await listInvitationMails(db, { tenant_id: by.tenant_id })
  return {
    members: members.map((row) => ({
      ...viewMember(row),
      you: by.kind === 'member' && row.id === by.member_id,
    })),
    invitations: invitations.map((row) =>
      viewInvitation(
        row,
        mails.find((mail) => mail.invitation_id === row.id),
      ),
    ),
  }
}

type TeamMember = Omit<Team['members'][number], 'you'>

/** A tenant's members, for an operator. Undefined if there is no such tenant. */
export async function listMembers(
  { db }: Pick<Context, 'db'>,
  tenant_id: string,
): Promise<TeamMember[] | undefined> {
  if ((await readTenantName(db, tenant_id)) === undefined) return undefined
  return (await readMembers(db, tenant_id)).map(viewMember)
}

/** What a change to a member ended, for the ledger. The caller records it as the last step of its transaction. */
type MemberChange = { member: Member; ended: LedgerEntry[] }

/** The new role applies from the member's next request on. Returns the member with the new role. */
export async function changeRole(
  tx: Db,
  requester: Member,
  { id, role }: { id: string; role: Role },
): Promise<MemberChange> {
  const { by, row } = await lockForChange(tx, requester, id)
  if (!canManageRole(by, role))
    throw new Refusal('role_not_allowed', 'Only an owner can make someone an owner.')
  if (role !== 'owner') await requireAnotherOwner(tx, row)
  await updateRole(tx, { tenant_id: by.tenant_id, id, role })
  const member = { ...memberFromRow(row), role }
  const invitations = await withdrawInvitationsBeyondRole(tx, { by, member })
  await appendAudit(tx, {
    action: 'member.role_changed',
    by,
    subject: id,
    detail: { from: row.role, to: role, invitations: invitations.length },
  })
  const fewerRights = roles.indexOf(role) > roles.indexOf(row.role)
  return {
    member,
    ended: [
      ...(fewerRights ? [{ kind: 'member_role', id: roleLedgerId(id, role) } as const] : []),
      ...invitations,
    ],
  }
}

/** Removes a member with their passkeys, sessions and links. Returns the removed member. */
export async function removeMember(tx: Db, requester: Member | Operator, id: string): Promise<MemberChange> {
  const { by, row } = await lockForChange(tx, requester, id)
  await requireAnotherOwner(tx, row)
  const member = memberFromRow(row)
  const invitations = await withdrawInvitationsOfRemoved(tx, { by, member })
  await deleteMember(tx, { tenant_id: by.tenant_id, id })
  await appendAudit(tx, {
    action: 'member.removed',
    by,
    subject: id,
    detail: { role: row.role, invitations: invitations.length },
  })
  return { member, ended: [{ kind: 'member', id }, ...invitations] }
}

export async function withdrawInvitation(
  ctx: Pick<Context, 'db' | 'ledger'>,
  requester: Member,
  id: string,
): Promise<Team> {
  const { tenant_id } = requester
  await ctx.db.transaction(async (tx) => {
    await lockTeam(tx, tenant_id)
    const by = await lockActingMember(tx, requester, 'manage_team')
    const invitation = await findInvitationById(tx, { tenant_id, id })
    if (invitation === undefined) throw notFound('invitation_not_found')
    if (!canManageRole(by, invitation.role))
      throw new Refusal('role_not_allowed', "Only an owner can withdraw an owner's invitation.")
    await deleteInvitation(tx, { tenant_id, id })
    await appendAudit(tx, { action: 'member.invitation_withdrawn', by, subject: invitation.email })
    await ctx.ledger.record(tx, [{ kind: 'invitation', id }])
  })
  return listTeam(ctx, requester)
}

/** Locks the team, the acting member and the member to change, and checks that one may change the other. */
async function lockForChange<By extends Member | Operator>(
  tx: Db,
  requester: By,
  id: string,
): Promise<{ by: By; row: MemberRow }> {
  const { tenant_id } = requester
  await lockTeam(tx, tenant_id)
  const by = await lockActingMember(tx, requester, 'manage_team')
  // Anything this member is creating commits before the lock is granted.
  if (!(await lockMemberForUpdate(tx, { tenant_id, id }))) throw notFound('member_not_found')
  const row = await findMember(tx, { tenant_id, id })
  if (row === undefined) throw notFound('member_not_found')
  if (!canManageRole(by, row.role))
    throw new Refusal('role_not_allowed', 'Only an owner can change an owner.')
  return { by, row }
}

async function requireAnotherOwner(tx: Db, { tenant_id, id, role }: MemberRow): Promise<void> {
  if (role !== 'owner') return
  const others = (await readMembers(tx, tenant_id)).filter((each) => each.role === 'owner' && each.id !== id)
  if (others.length === 0)
    throw new Refusal('last_owner', 'This is the last owner. Make another member an owner first.')
}

function viewMember(row: MemberRow): TeamMember {
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
  }
}

export type MemberToNotify = MemberToNotifyRow

/** A tenant's members with what a mail to them needs. */
export function listMembersToNotify(db: Db, tenant_id: string): Promise<MemberToNotify[]> {
  return readMembersToNotify(db, tenant_id)
}

/** The names of those members that the tenant has, by id. */
export async function nameMembers(
  { db }: Pick<Context, 'db'>,
  tenant_id: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = ids.length === 0 ? [] : await readMemberNames(db, { tenant_id, ids })
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const batchSize = 1000

/** Deletes expired sessions, challenges, invitations, sign-ups and support access. Nothing depends on it: expired ones are ignored anyway. */
export async function sweepMembers({ db }: Pick<Context, 'db'>): Promise<void> {
  while (
    (await deleteExpired(db, batchSize)) + (await deleteExpiredSupportAccess(db, batchSize)) >=
    batchSize
  ) {
    // Delete the next batch.
  }
}
