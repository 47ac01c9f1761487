import { appendAudit } from '../../audit/append.ts'
import type { Context } from '../../context.ts'
import type { Member } from '../../platform/principal.ts'
import { toEndedSession } from './ended-session.ts'
import { deleteSession, deleteSessions } from './store.ts'
import { hashToken } from './token.ts'

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
