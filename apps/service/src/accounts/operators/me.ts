import type { OperatorMe } from '@vidimus/contract'
import { byOperator, recordsAs } from '../../audit/index.ts'
import { type OperatorPrincipal, Refusal, programVersion } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { readNow } from '../sign-in/store.ts'
import { hashToken } from '../sign-in/tokens.ts'
import { toSessionEntry } from './ended-operators.ts'
import { type PasskeyRow, readPasskeys } from './passkey-store.ts'
import { deleteSession, deleteSessions, readSession } from './session-store.ts'
import { findOperator } from './store.ts'

/** An operator and the token of their current session. */
export type OperatorSession = { operator: OperatorPrincipal; session: string }

/** Who is signed in, or whose token it is: then there is no session, and the role is the token's. */
export async function getMe(
  { db }: Pick<Context, 'db'>,
  { operator, session }: { operator: OperatorPrincipal; session: string | undefined },
): Promise<OperatorMe> {
  const row = await findOperator(db, operator.operator_id)
  const times = session === undefined ? undefined : await readSession(db, hashToken(session))
  // They were removed or signed out in the meantime.
  if (row === undefined || (session !== undefined && times === undefined))
    throw new Refusal('not_signed_in', 'Sign in to continue.')
  const { id, name, email } = row
  return {
    operator: { id, name, email, role: operator.role },
    ...(times !== undefined && {
      session: {
        signed_in_at: times.created_at,
        expires_at: times.expires_at,
        ...(times.method !== null && { method: times.method }),
        ...(times.confirmed_until !== null && { confirmed_until: times.confirmed_until }),
        others: times.others,
      },
    }),
    passkeys: (await readPasskeys(db, id)).map(viewPasskey),
    oidc_linked: row.oidc_linked,
    now: times?.now ?? (await readNow(db)).now,
    version: programVersion(),
  }
}

function viewPasskey(row: PasskeyRow): OperatorMe['passkeys'][number] {
  return {
    id: row.credential_id,
    name: row.name,
    created_at: row.created_at,
    ...(row.last_used_at !== null && { last_used_at: row.last_used_at }),
    backed_up: row.backed_up,
  }
}

/** Ends one session. Without a session there is nothing to do. */
export async function signOut(
  { db, ledger }: Pick<Context, 'db' | 'ledger'>,
  { operator, session }: { operator: OperatorPrincipal | undefined; session: string | undefined },
): Promise<void> {
  if (session === undefined) return
  await db.transaction(async (tx) => {
    if (!(await deleteSession(tx, hashToken(session)))) return
    if (operator !== undefined)
      await recordsAs('installation.operator_signed_out', byOperator(operator))(tx, { sessions: 1 })
    await ledger.record(tx, [toSessionEntry(hashToken(session))])
  })
}

/** Ends every session of an operator, including the current one. */
export async function signOutEverywhere(
  { db, ledger }: Pick<Context, 'db' | 'ledger'>,
  operator: OperatorPrincipal,
): Promise<void> {
  await db.transaction(async (tx) => {
    const sessions = await deleteSessions(tx, operator.operator_id)
    await recordsAs('installation.operator_signed_out', byOperator(operator))(tx, {
      sessions: sessions.length,
    })
    await ledger.record(tx, sessions.map(toSessionEntry))
  })
}
