import { appendAudit } from '../../audit/append.ts'
import type { Db } from '../../platform/db/open.ts'
import type { Member } from '../../platform/principal.ts'
import { lockActingMember } from '../lock-member.ts'
import { deleteSession, insertSession } from './store.ts'
import type { MemberRow } from '../store.ts'
import { hashToken, newToken } from './token.ts'

/** The number of browsers in which one member can be signed in. */
export const maxSessions = 20

export type OpenSession = {
  member: Member
  way: 'passkey' | 'oidc' | 'link'
  /** Whether the person has just authenticated; a provider may have used an existing session instead. */
  confirmed: boolean
  /** The session in the browser's cookie so far. It ends, against session fixation. */
  previousSession?: string | undefined
}

/** Signs a member in, in the transaction that authenticated them. Returns the token for the cookie. */
export async function openSession(
  tx: Db,
  { member, way, confirmed, previousSession }: OpenSession,
): Promise<string> {
  const { token, token_hash } = newToken()
  const { tenant_id, member_id } = member
  await lockActingMember(tx, member)
  if (previousSession !== undefined) await deleteSession(tx, hashToken(previousSession))
  await insertSession(tx, { token_hash, tenant_id, member_id, way, confirmed, max: maxSessions })
  await appendAudit(tx, { action: 'member.signed_in', by: member, detail: { way } })
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
