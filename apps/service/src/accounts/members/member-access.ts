import { type AccessItem, type Role, roles } from '@vidimus/contract'
import { type Operator, appendAudit } from '../../audit/index.ts'
import type { Member } from '../../engine/basics/index.ts'
import type { Db } from '../../engine/db/index.ts'
import type { LedgerEntry, EndedRows } from '../../engine/ledger/index.ts'
import { deleteInvitation } from './invitations/store.ts'
import { withdrawInvitationsOfRemoved } from './invitations/withdraw.ts'
import { deletePasskey } from './passkeys/store.ts'
import { memberFromRow, toEndedSession } from './sessions/open-session.ts'
import { deleteSession } from './sessions/store.ts'
import {
  type InvitationKey,
  type MemberKey,
  type PasskeyKey,
  type SessionKey,
  deleteMember,
  readInvitationPage,
  readMemberPage,
  readPasskeyPage,
  readSessionPage,
  updateRole,
} from './store.ts'

/** Why something ended or was taken over, for its audit entry. */
export type AccessChange = { by: Member | Operator; cause: 'member.removed' | 'member.role_changed' }

export type MadeItem = Omit<AccessItem, 'kind'>

/** How objects of one kind that give access are found by their maker, ended, and taken over, each within the caller's transaction. */
export type MadeAccess = {
  /** The usable objects that a member made, directly or with an API key of theirs. */
  list: (db: Db, maker: { tenant_id: string; member_id: string }) => Promise<MadeItem[]>
  /** Ends it for good, with an audit entry. Returns what the caller records in the ledger. */
  end: (tx: Db, item: MadeItem, change: AccessChange) => Promise<LedgerEntry[]>
  /** Makes another member responsible for it; null: the operator. */
  setMaker: (tx: Db, item: MadeItem, maker: { tenant_id: string; member_id: string | null }) => Promise<void>
}

/** The environment of an object that always has one. */
export function environmentOf({ id, environment }: MadeItem): 'test' | 'live' {
  if (environment === undefined) throw new Error(`${id} has no environment`)
  return environment
}

const cause = 'restore'

/** Members who were removed. A restored tenant may be left without an owner: the operator invites one. */
export const endedMembers: EndedRows<MemberKey> = {
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
export const endedRoles: EndedRows<MemberKey> = {
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

/** Links that were withdrawn, replaced or redeemed. */
export const endedInvitations: EndedRows<InvitationKey> = {
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

export const endedPasskeys: EndedRows<PasskeyKey> = {
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
export const endedSessions: EndedRows<SessionKey> = {
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

/** The ledger's id for a member's new role. */
export function roleLedgerId(member_id: string, role: Role): string {
  return `${member_id} ${role}`
}
