import { appendAudit } from '../../../audit/index.ts'
import type { Context } from '../../../engine/context.ts'
import type { Db } from '../../../engine/db/index.ts'
import type { LedgerEntry } from '../../../engine/ledger/index.ts'
import { type Member, Refusal } from '../../../engine/basics/index.ts'
import { toEndedSession } from './ended-session.ts'
import { deleteSession, insertSession } from './store.ts'
import { lockMemberForUpdate, type MemberRow } from '../store.ts'
import { hashToken, newToken } from './token.ts'

/** The number of browsers in which one member can be signed in. */
export const maxSessions = 20

/** What is known of the browser that signs in. */
export type SignInClient = {
  /** The session in its cookie so far. It ends, against session fixation. */
  previousSession: string | undefined
  /** In words, such as `Firefox, Windows`. */
  browser: string | undefined
}

export type OpenSession = Partial<SignInClient> & {
  member: Member
  way: 'passkey' | 'oidc' | 'link'
  /** Whether the person has just authenticated; a provider may have used an existing session instead. */
  confirmed: boolean
  /** What the transaction ended before, for the ledger: an invitation, other sessions. */
  ended?: readonly LedgerEntry[]
}

/** Signs a member in, as the last step of the transaction that authenticated them. Returns the token for the cookie. */
export async function openSession(
  { config, ledger }: Pick<Context, 'config' | 'ledger'>,
  tx: Db,
  { member, way, confirmed, previousSession, browser, ended = [] }: OpenSession,
): Promise<string> {
  const { token, token_hash } = newToken(config)
  const { tenant_id, member_id } = member
  // Exclusively, because the member's row is written below: two sign-ins with a shared lock would wait for each other.
  if (!(await lockMemberForUpdate(tx, { tenant_id, id: member_id })))
    throw new Refusal('not_signed_in', 'Sign in to continue.')
  const previous = previousSession === undefined ? undefined : hashToken(previousSession)
  const replaced =
    previous !== undefined && (await deleteSession(tx, previous)) ? [toEndedSession(previous)] : []
  await insertSession(tx, {
    token_hash,
    tenant_id,
    member_id,
    way,
    confirmed,
    browser,
    max: maxSessions,
  })
  await appendAudit(tx, { action: 'member.signed_in', by: member, detail: { way } })
  const entries = [...ended, ...replaced]
  if (entries.length > 0) await ledger.record(tx, entries)
  return token
}

export function memberFromRow({
  tenant_id,
  id,
  name,
  role,
}: Pick<MemberRow, 'tenant_id' | 'id' | 'name' | 'role'>): Member {
  return { kind: 'member', tenant_id, member_id: id, name, role }
}
