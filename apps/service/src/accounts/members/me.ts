import { type Me, type Permission, type Role, may } from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import { type Member, Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { type ReturnLinkRow, readReturnLinks } from './invitations/store.ts'
import { type PasskeyRow, readPasskeys } from './passkeys/store.ts'
import { getSupportAccess } from '../support/get-support-access.ts'
import { type TenantStateRow, readState } from '../tenants/store.ts'
import { hashToken } from '../sign-in/tokens.ts'
import { type SessionRow, readSession, readSessions } from './sessions/store.ts'
import {
  findMember,
  lockMemberRow,
  readLanguage,
  readTenantName,
  updateLanguage,
  updateName,
} from './store.ts'

const maxReturnLinks = 10

/** A member and the token of their current session. */
export type MemberSession = { member: Member; session: string }

export async function getMe(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { member, session }: MemberSession,
): Promise<Me> {
  const { tenant_id, member_id } = member
  const row = await findMember(db, { tenant_id, id: member_id })
  const times = await readSession(db, hashToken(session))
  const tenant_name = await readTenantName(db, tenant_id)
  const support_access = await getSupportAccess(db, tenant_id)
  // The member was removed or signed out in the meantime.
  if (row === undefined || times === undefined || tenant_name === undefined)
    throw new Refusal('not_signed_in', 'Sign in to continue.')
  return {
    member: { id: row.id, name: row.name, email: row.email, role: row.role },
    tenant: { id: tenant_id, name: tenant_name },
    ...viewState(await readState(db, tenant_id)),
    ...(support_access !== undefined && { support_access }),
    session: { signed_in_at: times.created_at, expires_at: times.expires_at, others: times.others },
    sessions: (await readSessions(db, { tenant_id, member_id, token_hash: hashToken(session) })).map(
      viewSession,
    ),
    return_links: (await readReturnLinks(db, { tenant_id, member_id }, maxReturnLinks)).map(viewReturnLink),
    passkeys: (await readPasskeys(db, { tenant_id, member_id })).map(viewPasskey),
    oidc_linked: row.oidc_linked,
    now: times.now,
    ...(config.CELLS !== undefined && { cell: config.CELL }),
  }
}

export async function changeMe(
  ctx: Pick<Context, 'db' | 'config'>,
  caller: MemberSession,
  { name }: { name: string },
): Promise<Me> {
  const { member } = caller
  await ctx.db.transaction(async (tx) => {
    await updateName(tx, { tenant_id: member.tenant_id, id: member.member_id, name })
    await appendAudit(tx, { action: 'member.renamed', by: { ...member, name }, subject: member.member_id })
  })
  return getMe(ctx, caller)
}

function viewState(row: TenantStateRow | undefined): Pick<Me, 'suspension' | 'approval'> {
  if (row === undefined) return {}
  const { state, state_changed_at: since, state_reason: reason, approval } = row
  if (state === 'active' || since === null) return approval === 'approved' ? {} : { approval }
  return { suspension: { state, since, ...(reason !== null && { reason }) } }
}

function viewSession(row: SessionRow): Me['sessions'][number] {
  return {
    id: row.id,
    signed_in_at: row.created_at,
    last_seen_at: row.seen_at,
    ...(row.method !== null && { method: row.method }),
    ...(row.browser !== null && { browser: row.browser }),
    current: row.current,
  }
}

function viewReturnLink({ id, made_by, made_at, used_at }: ReturnLinkRow): Me['return_links'][number] {
  return { id, made_by, made_at, ...(used_at !== null && { used_at }) }
}

function viewPasskey(row: PasskeyRow): Me['passkeys'][number] {
  return {
    id: row.credential_id,
    name: row.name,
    created_at: row.created_at,
    ...(row.last_used_at !== null && { last_used_at: row.last_used_at }),
    backed_up: row.backed_up,
  }
}

type MemberRef = { tenant_id: string; member_id: string }

/** The language of a member's mails, if they have chosen one. */
export async function getLanguage(
  db: Db,
  { tenant_id, member_id }: MemberRef,
): Promise<'en' | 'de' | undefined> {
  const language = await readLanguage(db, { tenant_id, id: member_id })
  return language === 'en' || language === 'de' ? language : undefined
}

export async function setLanguage(
  tx: Db,
  { tenant_id, member_id, language }: MemberRef & { language: 'en' | 'de' },
): Promise<void> {
  await updateLanguage(tx, { tenant_id, id: member_id, language })
}

type Actor = NewAuditEntry['by']

/**
 * Locks the row of the acting member and checks that they still belong to the tenant and may still do this: the session
 * was checked before the transaction began. Removals and role changes wait for the lock, so they find and withdraw what
 * is created under it. Returns the actor with the current role. Keys, devices and operators are returned unchanged.
 */
export async function lockActingMember<By extends Actor>(
  tx: Db,
  by: By,
  ...permissions: readonly Permission[]
): Promise<By> {
  if (by.kind !== 'member') return by
  const row = await lockMemberRow(tx, { tenant_id: by.tenant_id, id: by.member_id })
  if (row === undefined) throw new Refusal('not_signed_in', 'Sign in to continue.')
  if (!permissions.every((permission) => may(row.role, permission)))
    throw new Refusal('role_not_allowed', `The role ${row.role} does not allow this.`)
  return { ...by, role: row.role }
}

/** The role of a member. Undefined if the tenant has no such member. */
export async function findRole(db: Db, member: { tenant_id: string; id: string }): Promise<Role | undefined> {
  return (await findMember(db, member))?.role
}
