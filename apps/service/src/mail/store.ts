import type { Db } from '../platform/db/open.ts'
import { sql } from '../platform/db/sql.ts'
import { tokenBucket } from '../platform/db/token-bucket.ts'

/** The most mails that one claim considers, so that a long queue does not slow it down. */
const maxConsidered = 2000

export type NewMail = {
  tenant_id: string
  member_id: string | null
  invitation_id: string | null
  recipient: string
  sealed: Buffer | null
  lifetime_hours: number
  /** Set for a mail that cannot be sent: why. */
  failure: string | null
}

export async function insertMail(tx: Db, mail: NewMail): Promise<void> {
  await tx.execute(sql`
    insert into mail_queue (tenant_id, member_id, invitation_id, recipient, sealed, created_at, due_at, expires_at, state, failure)
    select ${mail.tenant_id}, ${mail.member_id}, ${mail.invitation_id}, ${mail.recipient}, ${mail.sealed}, at, at,
      at + make_interval(hours => ${mail.lifetime_hours}::integer),
      case when ${mail.failure}::text is null then 'waiting' else 'failed' end, ${mail.failure}::text
    from service_now() as at`)
}

export async function deleteInvitationMails(
  tx: Db,
  { tenant_id, invitation_id }: { tenant_id: string; invitation_id: string },
): Promise<void> {
  await tx.execute(
    sql`delete from mail_queue where tenant_id = ${tenant_id} and invitation_id = ${invitation_id}`,
  )
}

/** Counts an invitation by mail, so that a withdrawn one counts too. */
export const { takeToken: takeMailRoom } = tokenBucket(sql`mail_room`)

/** After a day every bucket is full again. */
export async function deleteOldMailRoom(db: Db, limit: number): Promise<number> {
  return db.execute(sql`
    delete from mail_room where address in (
      select address from mail_room where updated_at < service_now() - interval '1 day' limit ${limit})`)
}

export type ClaimedMail = {
  id: string
  tenant_id: string
  for_invitation: boolean
  recipient: string
  sealed: Buffer | null
  attempts: number
  expired: boolean
}

/**
 * Claims due mails, a few of each tenant, so that one with a long queue does not delay the others. If the process is killed, they
 * become due again when the lease ends.
 */
export async function claimMails(
  db: Db,
  { limit, per_tenant, lease_seconds }: { limit: number; per_tenant: number; lease_seconds: number },
): Promise<ClaimedMail[]> {
  return db.query<ClaimedMail>(sql`
    update mail_queue m
    set attempts = m.attempts + 1, due_at = service_now() + make_interval(secs => ${lease_seconds}::integer)
    from (
      select id from (
        select id, due_at, row_number() over (partition by tenant_id order by due_at) as place
        from (
          select id, tenant_id, due_at from mail_queue
          where state = 'waiting' and due_at <= service_now()
          order by due_at
          limit ${maxConsidered}
        ) due
      ) ranked
      where place <= ${per_tenant}
      order by due_at
      limit ${limit}
    ) chosen
    where m.id = chosen.id and m.state = 'waiting' and m.due_at <= service_now()
    returning m.id, m.tenant_id, m.invitation_id is not null as for_invitation, m.recipient, m.sealed, m.attempts,
      m.expires_at <= service_now() as expired`)
}

type MailAttempt = Pick<ClaimedMail, 'id' | 'attempts'>

/** Records the end of a mail, unless another process has claimed it meanwhile. Only mails of invitations are kept, without content. */
export async function endMail(
  db: Db,
  { id, attempts }: MailAttempt,
  { state, failure }: { state: 'sent' | 'failed'; failure: string | null },
): Promise<void> {
  await db.execute(sql`
    with ended as (
      update mail_queue set state = ${state}, failure = ${failure}, sealed = null
      where id = ${id} and attempts = ${attempts}::integer and state = 'waiting' and invitation_id is not null
    )
    delete from mail_queue
    where id = ${id} and attempts = ${attempts}::integer and state = 'waiting' and invitation_id is null`)
}

export async function postponeMail(
  db: Db,
  { id, attempts }: MailAttempt,
  { delay_seconds, failure }: { delay_seconds: number; failure: string },
): Promise<void> {
  await db.execute(sql`
    update mail_queue
    set due_at = service_now() + make_interval(secs => ${delay_seconds}::float8), failure = ${failure}
    where id = ${id} and attempts = ${attempts}::integer and state = 'waiting'`)
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
    select invitation_id, state, failure from mail_queue
    where tenant_id = ${tenant_id} and invitation_id is not null
      and (${invitation_id}::uuid is null or invitation_id = ${invitation_id}::uuid)
    order by created_at
    limit 1000`)
}

/** Deletes what nobody sent in time, such as mails from when there was a mail server. */
export async function deleteExpiredMails(db: Db, limit: number): Promise<number> {
  return db.execute(sql`
    delete from mail_queue where id in (
      select id from mail_queue where expires_at < service_now() - interval '1 day' and invitation_id is null limit ${limit})`)
}
