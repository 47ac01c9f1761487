import { appendAudit } from '../../../audit/index.ts'
import type { Context } from '../../../engine/context.ts'
import { type Member, notFound } from '../../../engine/basics/index.ts'
import type { MemberSession } from '../me.ts'
import { hashToken } from '../../sign-in/tokens.ts'
import { toEndedSession } from './open-session.ts'
import { deleteSession, deleteSessionById, deleteSessions } from './store.ts'

/** Ends one session. Without a session there is nothing to do. */
export async function signOut(
  { db, ledger }: Pick<Context, 'db' | 'ledger'>,
  { member, session }: { member: Member | undefined; session: string | undefined },
): Promise<void> {
  if (session === undefined) return
  await db.transaction(async (tx) => {
    const ended = await deleteSession(tx, hashToken(session))
    if (ended && member !== undefined) await appendAudit(tx, { action: 'member.signed_out', by: member })
    if (ended) await ledger.record(tx, [toEndedSession(hashToken(session))])
  })
}

/** Ends every session of a member, including the current one. */
export async function signOutEverywhere(
  { db, ledger }: Pick<Context, 'db' | 'ledger'>,
  member: Member,
): Promise<void> {
  await db.transaction(async (tx) => {
    const sessions = await deleteSessions(tx, member)
    await appendAudit(tx, {
      action: 'member.signed_out_everywhere',
      by: member,
      detail: { sessions: sessions.length },
    })
    await ledger.record(tx, sessions.map(toEndedSession))
  })
}

/** Ends one session of a member, wherever it is. True if it is the session of this request. */
export async function endSession(
  { db, ledger }: Pick<Context, 'db' | 'ledger'>,
  caller: MemberSession,
  id: string,
): Promise<boolean> {
  const { member, session } = caller
  const { tenant_id, member_id } = member
  return db.transaction(async (tx) => {
    const ended = await deleteSessionById(tx, { tenant_id, member_id, id })
    if (ended === undefined) throw notFound('member_session_not_found')
    await appendAudit(tx, { action: 'member.session_ended', by: member })
    await ledger.record(tx, [toEndedSession(ended)])
    return ended.equals(hashToken(session))
  })
}
