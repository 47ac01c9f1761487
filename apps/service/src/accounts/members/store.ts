import type { Role } from '@vidimus/contract'
import { type Db, nilUuid } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

export type MemberRow = {
  tenant_id: string
  id: string
  email: string
  name: string
  role: Role
  oidc_linked: boolean
  passkeys: number
  created_at: string
  last_seen_at: string | null
}

const columns = sql`
  m.tenant_id, m.id, m.email, m.name, m.role, m.oidc_subject is not null as oidc_linked, m.created_at, m.last_seen_at,
  (select count(*) from member_passkeys p where p.tenant_id = m.tenant_id and p.member_id = m.id) as passkeys`

type MemberRowId = { tenant_id: string; id: string }

/** Serialises changes to a tenant's members, so that two owners cannot remove each other at the same time. */
export async function lockTeam(tx: Db, tenant_id: string): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('members ' || ${tenant_id}, 0))`)
}

export async function readMembers(db: Db, tenant_id: string): Promise<MemberRow[]> {
  return db.query<MemberRow>(sql`
    select ${columns} from members m where m.tenant_id = ${tenant_id} order by m.created_at, m.id limit 1000`)
}

export async function findMember(db: Db, { tenant_id, id }: MemberRowId): Promise<MemberRow | undefined> {
  const [row] = await db.query<MemberRow>(sql`
    select ${columns} from members m where m.tenant_id = ${tenant_id} and m.id = ${id}`)
  return row
}

/** Prevents changes to the member and its removal until the transaction ends. It is a shared lock. */
export async function lockMemberRow(
  tx: Db,
  { tenant_id, id }: MemberRowId,
): Promise<Pick<MemberRow, 'role'> | undefined> {
  const [row] = await tx.query<Pick<MemberRow, 'role'>>(
    sql`select role from members where tenant_id = ${tenant_id} and id = ${id} for share`,
  )
  return row
}

/** Locks the member exclusively, waiting for shared locks. False if the member does not exist. */
export async function lockMemberForUpdate(tx: Db, { tenant_id, id }: MemberRowId): Promise<boolean> {
  const rows = await tx.query(
    sql`select id from members where tenant_id = ${tenant_id} and id = ${id} for update`,
  )
  return rows.length > 0
}

export async function findMemberByEmail(
  db: Db,
  { tenant_id, email }: { tenant_id: string; email: string },
): Promise<MemberRow | undefined> {
  const [row] = await db.query<MemberRow>(sql`
    select ${columns} from members m where m.tenant_id = ${tenant_id} and m.email = ${email}`)
  return row
}

export async function findMemberByIdentity(
  db: Db,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<MemberRow | undefined> {
  const [row] = await db.query<MemberRow>(sql`
    select ${columns} from members m where m.oidc_issuer = ${issuer} and m.oidc_subject = ${subject}`)
  return row
}

type NewMember = MemberRowId & Pick<MemberRow, 'email' | 'name' | 'role'>

/** False if a member with this id or address already exists. */
export async function insertMember(tx: Db, member: NewMember): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into members (tenant_id, id, email, name, role)
    values (${member.tenant_id}, ${member.id}, ${member.email}, ${member.name}, ${member.role})
    on conflict do nothing`)
  return inserted === 1
}

export async function updateName(
  tx: Db,
  { tenant_id, id, name }: MemberRowId & { name: string },
): Promise<void> {
  await tx.execute(sql`update members set name = ${name} where tenant_id = ${tenant_id} and id = ${id}`)
}

export async function updateRole(
  tx: Db,
  { tenant_id, id, role }: MemberRowId & { role: Role },
): Promise<void> {
  await tx.execute(sql`update members set role = ${role} where tenant_id = ${tenant_id} and id = ${id}`)
}

export type MemberToNotifyRow = {
  tenant_id: string
  id: string
  email: string
  role: Role
  language: string | null
  tenant_name: string
}

export async function readMembersToNotify(db: Db, tenant_id: string): Promise<MemberToNotifyRow[]> {
  return db.query<MemberToNotifyRow>(sql`
    select m.tenant_id, m.id, m.email, m.role, m.language, t.name as tenant_name
    from members m
    join tenants t on t.id = m.tenant_id
    where m.tenant_id = ${tenant_id}
    order by m.created_at, m.id
    limit 1000`)
}

export async function readLanguage(db: Db, { tenant_id, id }: MemberRowId): Promise<string | null> {
  const [row] = await db.query<{ language: string | null }>(
    sql`select language from members where tenant_id = ${tenant_id} and id = ${id}`,
  )
  return row?.language ?? null
}

export async function updateLanguage(
  tx: Db,
  { tenant_id, id, language }: MemberRowId & { language: string },
): Promise<void> {
  await tx.execute(
    sql`update members set language = ${language} where tenant_id = ${tenant_id} and id = ${id}`,
  )
}

/** Its passkeys and sessions are deleted with it. */
export async function deleteMember(tx: Db, { tenant_id, id }: MemberRowId): Promise<void> {
  await tx.execute(sql`delete from members where tenant_id = ${tenant_id} and id = ${id}`)
}

/** False if the identity belongs to another member of any tenant. */
export async function linkIdentity(
  tx: Db,
  { tenant_id, id, issuer, subject }: MemberRowId & { issuer: string; subject: string },
): Promise<boolean> {
  const linked = await tx.execute(sql`
    update members set oidc_issuer = ${issuer}, oidc_subject = ${subject}
    where tenant_id = ${tenant_id} and id = ${id}
      and not exists (
        select from members other
        where other.oidc_issuer = ${issuer} and other.oidc_subject = ${subject} and other.id <> ${id})`)
  return linked === 1
}

export async function readTenantName(db: Db, tenant_id: string): Promise<string | undefined> {
  const [row] = await db.query<{ name: string }>(sql`select name from tenants where id = ${tenant_id}`)
  return row?.name
}

/** Deletes expired rows, up to `limit` of each kind. */
export async function deleteExpired(db: Db, limit: number): Promise<number> {
  const counts = await Promise.all([
    db.execute(sql`
      delete from member_sessions where token_hash in (
        select token_hash from member_sessions where expires_at <= service_now() limit ${limit})`),
    db.execute(sql`
      delete from spent_challenges where hash in (
        select hash from spent_challenges where expires_at <= service_now() limit ${limit})`),
    db.execute(sql`
      delete from member_invitations where id in (
        select id from member_invitations where expires_at <= service_now() - interval '30 days' limit ${limit})`),
    db.execute(sql`
      delete from sign_ups where token_hash in (
        select token_hash from sign_ups where expires_at <= service_now() limit ${limit})`),
    db.execute(sql`
      delete from member_return_links where (tenant_id, id) in (
        select tenant_id, id from member_return_links where made_at <= service_now() - interval '90 days' limit ${limit})`),
    // After a day every bucket is full again.
    db.execute(sql`
      delete from sign_in_room where address in (
        select address from sign_in_room where updated_at < service_now() - interval '1 day' limit ${limit})`),
  ])
  return counts.reduce((sum, count) => sum + count, 0)
}

/** The names of a tenant's members. A removed member has none. */
export async function readMemberNames(
  db: Db,
  { tenant_id, ids }: { tenant_id: string; ids: readonly string[] },
): Promise<{ id: string; name: string }[]> {
  return db.query<{ id: string; name: string }>(sql`
    select id, name from members where tenant_id = ${tenant_id} and id = any(${ids}::uuid[])`)
}

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
