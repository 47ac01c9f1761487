import type { Me } from '@vidimus/contract'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { type Member, Refusal } from '../../engine/basics/index.ts'
import { readPasskeys, type PasskeyRow } from './passkeys/store.ts'
import { readReturnLinks, type ReturnLinkRow } from './invitations/return-link-store.ts'
import { readSession, readSessions, type SessionRow } from './sessions/store.ts'
import { findMember, readTenantName, updateName } from './store.ts'
import { hashToken } from './sessions/token.ts'

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
  // The member was removed or signed out in the meantime.
  if (row === undefined || times === undefined || tenant_name === undefined)
    throw new Refusal('not_signed_in', 'Sign in to continue.')
  return {
    member: { id: row.id, name: row.name, email: row.email, role: row.role },
    tenant: { id: tenant_id, name: tenant_name },
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

function viewSession(row: SessionRow): Me['sessions'][number] {
  return {
    id: row.id,
    signed_in_at: row.created_at,
    last_seen_at: row.seen_at,
    ...(row.way !== null && { way: row.way }),
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
