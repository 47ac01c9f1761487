import type { Role } from '@vidimus/contract'
import type { Db } from '../../../engine/db/index.ts'
import { sql } from '../../../engine/db/sql.ts'

export type InvitationRow = {
  tenant_id: string
  tenant_name: string
  id: string
  member_id: string
  email: string
  role: Role
  invited_by: string
  /** `member:<id>` or `operator`. */
  inviter: string
  created_at: string
  expires_at: string
  expired: boolean
  /** Whether it is for an existing member. */
  returning: boolean
  /** Whether it is for the first member of a tenant that it opens. */
  signing_up: boolean
}

const columns = sql`
  i.tenant_id, (select name from tenants where tenants.id = i.tenant_id) as tenant_name, i.id, i.member_id, i.email, i.role,
  i.invited_by, i.inviter, i.created_at, i.expires_at, i.expires_at <= service_now() as expired,
  exists (select from members m where m.tenant_id = i.tenant_id and m.id = i.member_id) as returning,
  false as signing_up`

type NewInvitation = Pick<
  InvitationRow,
  'tenant_id' | 'id' | 'member_id' | 'email' | 'role' | 'invited_by' | 'inviter'
> & { token_hash: Buffer; lifetime_hours: number }

/** Creates an invitation. It replaces an earlier one for the same address, whose id is returned too. */
export async function putInvitation(
  tx: Db,
  invitation: NewInvitation,
): Promise<InvitationRow & { replaced: string | null }> {
  const [row] = await tx.query<InvitationRow & { replaced: string | null }>(sql`
    with made as (
      insert into member_invitations
        (tenant_id, id, token_hash, member_id, email, role, invited_by, inviter, created_at, expires_at)
      select ${invitation.tenant_id}::uuid, ${invitation.id}::uuid, ${invitation.token_hash}::bytea, ${invitation.member_id}::uuid,
        ${invitation.email}, ${invitation.role}, ${invitation.invited_by}, ${invitation.inviter}::text, at, at + make_interval(hours => ${invitation.lifetime_hours}::integer)
      from service_now() as at
      on conflict (tenant_id, email) do update
      set id = excluded.id, token_hash = excluded.token_hash, member_id = excluded.member_id, role = excluded.role,
        invited_by = excluded.invited_by, inviter = excluded.inviter, created_at = excluded.created_at, expires_at = excluded.expires_at
      returning *
    )
    select ${columns},
      (select id from member_invitations b where b.tenant_id = ${invitation.tenant_id} and b.email = ${invitation.email}) as replaced
    from made i`)
  if (row === undefined) throw new Error('an insert returned nothing')
  return row
}

export async function readInvitations(db: Db, tenant_id: string): Promise<InvitationRow[]> {
  return db.query<InvitationRow>(sql`
    select ${columns} from member_invitations i
    where i.tenant_id = ${tenant_id}
    order by i.created_at desc
    limit 1000`)
}

/** The invitation of a link, if it can still be accepted. */
export async function findInvitation(db: Db, token_hash: Buffer): Promise<InvitationRow | undefined> {
  const [row] = await db.query<InvitationRow>(sql`
    select ${columns} from member_invitations i
    where i.token_hash = ${token_hash} and i.expires_at > service_now()`)
  return row
}

/** Redeems an invitation, so that nobody else can. False if it was redeemed before or has expired. */
export async function spendInvitation(tx: Db, token_hash: Buffer): Promise<boolean> {
  const spent = await tx.execute(sql`
    delete from member_invitations where token_hash = ${token_hash} and expires_at > service_now()`)
  return spent === 1
}

export async function findInvitationById(
  db: Db,
  { tenant_id, id }: { tenant_id: string; id: string },
): Promise<InvitationRow | undefined> {
  const [row] = await db.query<InvitationRow>(sql`
    select ${columns} from member_invitations i where i.tenant_id = ${tenant_id} and i.id = ${id}`)
  return row
}

export async function deleteInvitation(
  tx: Db,
  { tenant_id, id }: { tenant_id: string; id: string },
): Promise<void> {
  await tx.execute(sql`delete from member_invitations where tenant_id = ${tenant_id} and id = ${id}`)
}

export type ReturnLinkRow = { id: string; made_by: string; made_at: string; used_at: string | null }

type MemberRef = { tenant_id: string; member_id: string }

/** Records that a sign-in link was created for an existing member. */
export async function insertReturnLink(
  tx: Db,
  { tenant_id, member_id, id, made_by }: MemberRef & { id: string; made_by: string },
): Promise<void> {
  await tx.execute(sql`
    insert into member_return_links (tenant_id, id, member_id, made_by, made_at)
    values (${tenant_id}, ${id}, ${member_id}, ${made_by}, service_now())`)
}

export async function markReturnLinkUsed(
  tx: Db,
  { tenant_id, id }: { tenant_id: string; id: string },
): Promise<void> {
  await tx.execute(sql`
    update member_return_links set used_at = service_now() where tenant_id = ${tenant_id} and id = ${id}`)
}

/** Newest first. */
export async function readReturnLinks(
  db: Db,
  { tenant_id, member_id }: MemberRef,
  limit: number,
): Promise<ReturnLinkRow[]> {
  return db.query<ReturnLinkRow>(sql`
    select id, made_by, made_at, used_at from member_return_links
    where tenant_id = ${tenant_id} and member_id = ${member_id}
    order by made_at desc
    limit ${limit}`)
}
