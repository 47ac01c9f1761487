import { mayHoldOperatorRole } from '@vidimus/contract'
import type { AuthenticatedOperator } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { hashToken } from '../sign-in/tokens.ts'
import { findSession, markSeen } from './session-store.ts'
import { findToken, markTokenUsed } from './token-store.ts'

/** Who has a session or a token. Nothing is kept: its end, a new role or a confirmation applies on every node from the next request on. */
export async function findOperatorCaller(
  { db }: Pick<Context, 'db'>,
  credential: { session: string } | { token: string },
): Promise<AuthenticatedOperator | undefined> {
  return 'token' in credential ? findByToken(db, credential.token) : findBySession(db, credential.session)
}

async function findBySession(db: Context['db'], session: string): Promise<AuthenticatedOperator | undefined> {
  const hash = hashToken(session)
  const found = await findSession(db, hash)
  if (found === undefined) return undefined
  if (found.unmarked) await markSeen(db, hash)
  const { operator_id, name, role, confirmed } = found
  return {
    operator: { kind: 'operator', operator_id, name, role },
    presence: confirmed ? 'confirmed' : 'unconfirmed',
  }
}

/** A token whose operator has another role by now does nothing: it may never do more than they. */
async function findByToken(db: Context['db'], token: string): Promise<AuthenticatedOperator | undefined> {
  const found = token.startsWith('vo_') ? await findToken(db, hashToken(token)) : undefined
  if (found === undefined || !mayHoldOperatorRole(found.operator_role, found.role)) return undefined
  if (found.unmarked) await markTokenUsed(db, found.id)
  const { operator_id, role } = found
  return {
    operator: { kind: 'operator', operator_id, name: `${found.name}, token ${found.token_name}`, role },
    presence: 'program',
  }
}
