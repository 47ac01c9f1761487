import { type OperatorRole, operatorRoles } from '@vidimus/contract'
import { recordsAs } from '../../audit/index.ts'
import type { EndedRows, LedgerEntry } from '../../engine/ledger/index.ts'
import { type PasskeyKey, deletePasskey, readPasskeyPage } from './passkey-store.ts'
import { type SessionKey, deleteSession, readSessionPage } from './session-store.ts'
import {
  type InvitationKey,
  type OperatorKey,
  markRemoved,
  putInvitation,
  readInvitationPage,
  readOperatorPage,
  updateRole,
} from './store.ts'
import { type TokenKey, readTokenPage, revokeToken } from './token-store.ts'

// What a restored database has to end once more. Each is recorded when it ends.

const by = { name: 'restore' }
const cause = 'restore'

/** A restored installation may be left without an owner: a command adds one. */
export const endedOperators: EndedRows<OperatorKey> = {
  kind: 'operator',
  readPage: readOperatorPage,
  ledgerIds: ({ id }) => [id],
  async end(tx, { id, role }) {
    await markRemoved(tx, id)
    await recordsAs('installation.operator_removed', by)(tx, { operator_id: id, role, cause })
  },
}

/** Operators who got another role. Of several roles since, the one with the fewest rights applies. */
export const endedOperatorRoles: EndedRows<OperatorKey> = {
  kind: 'operator_role',
  readPage: readOperatorPage,
  ledgerIds: ({ id }) => operatorRoles.map((role) => roleLedgerId(id, role)),
  async end(tx, { id, role: from }, ended) {
    // `operatorRoles` begins with the one that has the most rights.
    const to = operatorRoles.findLast((role) => ended.has(roleLedgerId(id, role))) ?? from
    if (to === from || to === 'owner') return
    await updateRole(tx, { id, role: to })
    await recordsAs('installation.operator_role_changed', by)(tx, { operator_id: id, from, to, cause })
  },
}

/** Links that were used or replaced. */
export const endedOperatorInvitations: EndedRows<InvitationKey> = {
  kind: 'operator_invitation',
  readPage: readInvitationPage,
  ledgerIds: ({ invitation_hash }) => [toInvitationEntry(invitation_hash).id],
  end: async (tx, { id }) => void (await putInvitation(tx, { id, hash: null, lifetime_hours: 0 })),
}

export const endedOperatorPasskeys: EndedRows<PasskeyKey> = {
  kind: 'operator_passkey',
  readPage: readPasskeyPage,
  ledgerIds: ({ credential_id }) => [credential_id],
  async end(tx, row) {
    await deletePasskey(tx, row)
    const { operator_id } = row
    await recordsAs('installation.operator_passkey_removed', by)(tx, { operator_id, cause })
  },
}

export const endedOperatorSessions: EndedRows<SessionKey> = {
  kind: 'operator_session',
  readPage: readSessionPage,
  ledgerIds: ({ token_hash }) => [toSessionEntry(token_hash).id],
  end: async (tx, { token_hash }) => void (await deleteSession(tx, token_hash)),
}

export const endedOperatorTokens: EndedRows<TokenKey> = {
  kind: 'operator_token',
  readPage: readTokenPage,
  ledgerIds: ({ id }) => [id],
  async end(tx, { id }) {
    await revokeToken(tx, { id, operator_id: undefined })
    await recordsAs('installation.operator_token_revoked', by)(tx, { token_id: id, cause })
  },
}

/** The ledger's id for an operator's new role. */
export function roleLedgerId(id: string, role: OperatorRole): string {
  return `${id} ${role}`
}

export function toInvitationEntry(hash: Buffer): LedgerEntry {
  return { kind: 'operator_invitation', id: hash.toString('hex') }
}

export function toSessionEntry(token_hash: Buffer): LedgerEntry {
  return { kind: 'operator_session', id: token_hash.toString('hex') }
}
