import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { isMailAddress } from '../../engine/mail/index.ts'
import { mailHost, sealContent } from './content.ts'
import { renderMail, type MailContent } from './render.ts'
import { deleteInvitationMails, insertMail, takeMailRoom } from './store.ts'

/** More invitations within a day are created without a mail: of one tenant, to one recipient, and of one tenant to one recipient. */
export const maxInvitationMails = { tenant: 100, recipient: 10, tenant_to_recipient: 3 }

type MailContext = Pick<Context, 'config' | 'keyring'>
type MemberMail = {
  tenant_id: string
  member_id: string
  recipient: string
  content: MailContent
  lifetime_hours: number
}

/** Queues a mail to a member, in the transaction of its cause. Without a mail server it does nothing. */
export async function enqueueMemberMail(
  tx: Db,
  { config, keyring }: MailContext,
  { tenant_id, member_id, recipient, content, lifetime_hours }: MemberMail,
): Promise<void> {
  if (config.MAIL_FROM === undefined || !isMailAddress(recipient)) return
  const sealed = sealContent(keyring, renderMail(content))
  await insertMail(tx, mailHost, {
    tenant_id,
    member_id,
    invitation_id: null,
    recipient,
    sealed,
    lifetime_hours,
    failure: null,
  })
}

type InvitationMail = {
  tenant_id: string
  invitation_id: string
  recipient: string
  content: MailContent
  lifetime_hours: number
}

/** Queues the mail of an invitation; an earlier one for it is withdrawn. What cannot be sent is recorded, and the team page shows it. */
export async function enqueueInvitationMail(
  tx: Db,
  { config, keyring }: MailContext,
  { content, ...mail }: InvitationMail,
): Promise<void> {
  if (config.MAIL_FROM === undefined) return
  const failure = !isMailAddress(mail.recipient)
    ? 'invalid_address'
    : (await mayInviteByMail(tx, keyring, mail))
      ? null
      : 'too_many'
  await deleteInvitationMails(tx, mail)
  const sealed = failure === null ? sealContent(keyring, renderMail(content)) : null
  await insertMail(tx, mailHost, { ...mail, member_id: null, sealed, failure })
}

/** Counts one against every limit. What one of them refuses still counts against those before it. */
async function mayInviteByMail(
  tx: Db,
  keyring: MailContext['keyring'],
  { tenant_id, recipient }: Pick<InvitationMail, 'tenant_id' | 'recipient'>,
): Promise<boolean> {
  const hash = keyring.mac('mail recipient', recipient).toString('base64url')
  const buckets = [
    { address: `${tenant_id} ${hash}`, burst: maxInvitationMails.tenant_to_recipient },
    { address: hash, burst: maxInvitationMails.recipient },
    { address: tenant_id, burst: maxInvitationMails.tenant },
  ]
  for (const { address, burst } of buckets)
    if (!(await takeMailRoom(tx, { address, burst, per_hour: burst / 24 }))) return false
  return true
}
