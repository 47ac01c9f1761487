import { roles, type Role } from '@vidimus/contract'
import { appendAudit } from '../../audit/index.ts'
import type { Revocable } from '../../engine/ledger/index.ts'
import { deleteInvitation } from './invitations/store.ts'
import { withdrawInvitationsOfRemoved } from './invitations/withdraw.ts'
import { deletePasskey } from './passkeys/store.ts'
import {
  readInvitationPage,
  readMemberPage,
  readPasskeyPage,
  readSessionPage,
  type InvitationKey,
  type MemberKey,
  type PasskeyKey,
  type SessionKey,
} from './revocable-store.ts'
import { toEndedSession } from './sessions/ended-session.ts'
import { memberFromRow } from './sessions/open.ts'
import { deleteSession } from './sessions/store.ts'
import { deleteMember, updateRole } from './store.ts'

const cause = 'restore'

/** Members who were removed. A restored tenant may be left without an owner: the operator invites one. */
export const revocableMembers: Revocable<MemberKey> = {
  kind: 'member',
  readPage: readMemberPage,
  ledgerIds: ({ id }) => [id],
  async end(tx, row) {
    const { tenant_id, id, role } = row
    const by = { kind: 'operator', tenant_id } as const
    const invitations = await withdrawInvitationsOfRemoved(tx, { by, member: memberFromRow(row) })
    await deleteMember(tx, { tenant_id, id })
    await appendAudit(tx, {
      action: 'member.removed',
      by,
      subject: id,
      detail: { role, invitations: invitations.length, cause },
    })
  },
}

/** Members who got a role with fewer rights. Of several roles since, the one with the fewest rights applies. */
export const revocableRoles: Revocable<MemberKey> = {
  kind: 'member_role',
  readPage: readMemberPage,
  ledgerIds: ({ id }) => roles.map((role) => roleLedgerId(id, role)),
  async end(tx, { tenant_id, id, role: from }, ended) {
    // `roles` begins with the one that has the most rights.
    const to = roles.findLast((role) => ended.has(roleLedgerId(id, role))) ?? from
    if (roles.indexOf(to) <= roles.indexOf(from)) return
    await updateRole(tx, { tenant_id, id, role: to })
    await appendAudit(tx, {
      action: 'member.role_changed',
      by: { kind: 'operator', tenant_id },
      subject: id,
      detail: { from, to, cause },
    })
  },
}

/** What the ledger knows a member's new role by. */
export function roleLedgerId(member_id: string, role: Role): string {
  return `${member_id} ${role}`
}

/** Links that were withdrawn, replaced or redeemed. */
export const revocableInvitations: Revocable<InvitationKey> = {
  kind: 'invitation',
  readPage: readInvitationPage,
  ledgerIds: ({ id }) => [id],
  async end(tx, { tenant_id, id, email }) {
    await deleteInvitation(tx, { tenant_id, id })
    await appendAudit(tx, {
      action: 'member.invitation_withdrawn',
      by: { kind: 'operator', tenant_id },
      subject: email,
      detail: { cause },
    })
  },
}

export const revocablePasskeys: Revocable<PasskeyKey> = {
  kind: 'passkey',
  readPage: readPasskeyPage,
  ledgerIds: ({ credential_id }) => [credential_id],
  async end(tx, row) {
    const { tenant_id, member_id } = row
    await deletePasskey(tx, row)
    await appendAudit(tx, {
      action: 'member.passkey_removed',
      by: { kind: 'operator', tenant_id },
      subject: member_id,
      detail: { cause },
    })
  },
}

/** Sessions that a member ended. */
export const revocableSessions: Revocable<SessionKey> = {
  kind: 'member_session',
  readPage: readSessionPage,
  ledgerIds: ({ token_hash }) => [toEndedSession(token_hash).id],
  async end(tx, { tenant_id, member_id, token_hash }) {
    await deleteSession(tx, token_hash)
    await appendAudit(tx, {
      action: 'member.signed_out',
      by: { kind: 'operator', tenant_id },
      subject: member_id,
      detail: { cause },
    })
  },
}
