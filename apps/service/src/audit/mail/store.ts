import { type Db, tokenBucket } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

export type NewMail = {
  tenant_id: string
  member_id: string | null
  invitation_id: string | null
  recipient: string
  sealed: Buffer | null
  lifetime_minutes: number
  /** Set for a mail that cannot be sent: why. */
  failure: string | null
}

/** Stores a mail, and queues it for this host unless it cannot be sent. */
export async function insertMail(tx: Db, host: string, mail: NewMail): Promise<void> {
  await tx.execute(sql`
    with stored as (
      insert into mails (tenant_id, member_id, invitation_id, recipient, sealed, created_at, expires_at, state, failure)
      select ${mail.tenant_id}, ${mail.member_id}, ${mail.invitation_id}, ${mail.recipient}, ${mail.sealed}, at,
        at + make_interval(mins => ${mail.lifetime_minutes}::integer),
        case when ${mail.failure}::text is null then 'waiting' else 'failed' end, ${mail.failure}::text
      from service_now() as at
      returning id, tenant_id, state
    )
    insert into webhook_events (verification_id, kind, tenant_id, url, host)
    select id, 'mail', tenant_id, '', ${host} from stored where state = 'waiting'`)
}

export async function deleteInvitationMails(
  tx: Db,
  { tenant_id, invitation_id }: { tenant_id: string; invitation_id: string },
): Promise<void> {
  await tx.execute(sql`delete from mails where tenant_id = ${tenant_id} and invitation_id = ${invitation_id}`)
}

/** Counts an invitation by mail, so that a withdrawn one counts too. */
export const { takeToken: takeMailRoom } = tokenBucket(sql`mail_room`)

/** After a day every bucket is full again. */
export async function deleteOldMailRoom(db: Db, limit: number): Promise<number> {
  return db.execute(sql`
    delete from mail_room where address in (
      select address from mail_room where updated_at < service_now() - interval '1 day' limit ${limit})`)
}

/** Records an attempt. What was sent or given up loses its content, and is deleted unless an invitation shows it. */
export async function recordMail(
  db: Db,
  { id, state, failure }: { id: string; state: 'waiting' | 'sent' | 'failed'; failure: string | null },
): Promise<void> {
  await db.execute(sql`
    with ended as (
      delete from mails
      where id = ${id} and state = 'waiting' and invitation_id is null and ${state} <> 'waiting'
    )
    update mails set state = ${state}, failure = ${failure}, sealed = case ${state} when 'waiting' then sealed end
    where id = ${id} and state = 'waiting' and (invitation_id is not null or ${state} = 'waiting')`)
}

export type InvitationMailRow = {
  invitation_id: string
  state: 'waiting' | 'sent' | 'failed'
  failure: string | null
}

/** The mails of a tenant's invitations, or of one of them. */
export async function readInvitationMails(
  db: Db,
  { tenant_id, invitation_id = null }: { tenant_id: string; invitation_id?: string | null },
): Promise<InvitationMailRow[]> {
  return db.query<InvitationMailRow>(sql`
    select invitation_id, state, failure from mails
    where tenant_id = ${tenant_id} and invitation_id is not null
      and (${invitation_id}::uuid is null or invitation_id = ${invitation_id}::uuid)
    order by created_at
    limit 1000`)
}
