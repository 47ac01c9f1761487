import type { Role } from '@vidimus/contract'
import { type Db, nilUuid } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

type Page<Row> = { after: Row | undefined; limit: number }
export type MemberKey = { tenant_id: string; id: string; name: string; role: Role }
export type InvitationKey = { tenant_id: string; id: string; email: string }
export type PasskeyKey = { tenant_id: string; member_id: string; credential_id: string }
export type SessionKey = { tenant_id: string; member_id: string; token_hash: Buffer }

export async function readMemberPage(db: Db, { after, limit }: Page<MemberKey>): Promise<MemberKey[]> {
  return db.query<MemberKey>(sql`
    select tenant_id, id, name, role from members
    where (tenant_id, id) > (${after?.tenant_id ?? nilUuid}::uuid, ${after?.id ?? nilUuid}::uuid)
    order by tenant_id, id
    limit ${limit}`)
}

export async function readInvitationPage(
  db: Db,
  { after, limit }: Page<InvitationKey>,
): Promise<InvitationKey[]> {
  return db.query<InvitationKey>(sql`
    select tenant_id, id, email from member_invitations
    where (tenant_id, id) > (${after?.tenant_id ?? nilUuid}::uuid, ${after?.id ?? nilUuid}::uuid)
    order by tenant_id, id
    limit ${limit}`)
}

export async function readPasskeyPage(db: Db, { after, limit }: Page<PasskeyKey>): Promise<PasskeyKey[]> {
  return db.query<PasskeyKey>(sql`
    select tenant_id, member_id, credential_id from member_passkeys
    where credential_id > ${after?.credential_id ?? ''}
    order by credential_id
    limit ${limit}`)
}

export async function readSessionPage(db: Db, { after, limit }: Page<SessionKey>): Promise<SessionKey[]> {
  return db.query<SessionKey>(sql`
    select tenant_id, member_id, token_hash from member_sessions
    where token_hash > ${after?.token_hash ?? Buffer.alloc(0)}
    order by token_hash
    limit ${limit}`)
}
