import type { Context } from '../../engine/context.ts'
import { type Db, tables } from '../../engine/db/index.ts'
import type { Keyring } from '../../engine/keyring/index.ts'
import { isMailAddress } from '../../engine/mail/index.ts'
import { installationChain } from '../append.ts'
import { deleteInvitationMails, deleteOldMailRoom, insertMail, takeMailRoom } from './store.ts'

/** More invitations within a day are created without a mail: of one tenant, to one recipient, and of one tenant to one recipient. */
export const maxInvitationMails = { tenant: 100, recipient: 10, tenant_to_recipient: 3 }

/** Mails to people who ask for an account, each a burst and then a rate: to one address, to those of one domain, and to all. */
export const maxSignUpMails = {
  recipient: { burst: 2, per_hour: 1 / 24 },
  domain: { burst: 50, per_hour: 2 },
  everyone: { burst: 200, per_hour: 25 },
}

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
    lifetime_minutes: 60 * lifetime_hours,
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
  { content, lifetime_hours, ...mail }: InvitationMail,
): Promise<void> {
  if (config.MAIL_FROM === undefined) return
  const failure = !isMailAddress(mail.recipient)
    ? 'invalid_address'
    : (await mayInviteByMail(tx, keyring, mail))
      ? null
      : 'too_many'
  await deleteInvitationMails(tx, mail)
  const sealed = failure === null ? sealContent(keyring, renderMail(content)) : null
  await insertMail(tx, mailHost, {
    ...mail,
    member_id: null,
    sealed,
    lifetime_minutes: 60 * lifetime_hours,
    failure,
  })
}

/**
 * Whether one more mail may be sent to somebody who asks for an account. What a narrow limit refuses does not count against the wider ones,
 * so that nobody uses these up with a few addresses.
 */
export async function takeSignUpMail(tx: Db, keyring: Keyring, recipient: string): Promise<boolean> {
  const { recipient: ofRecipient, domain: ofDomain, everyone } = maxSignUpMails
  const domain = recipient.slice(recipient.lastIndexOf('@') + 1)
  const hash = (text: string) => keyring.mac('mail recipient', text).toString('base64url')
  const buckets = [
    { address: `sign-up ${hash(recipient)}`, ...ofRecipient },
    { address: `sign-up ${hash(domain)}`, ...ofDomain },
    { address: 'sign-up', ...everyone },
  ]
  for (const bucket of buckets) if (!(await takeMailRoom(tx, bucket))) return false
  return true
}

type SignUpMail = { recipient: string; content: MailContent; lifetime_minutes: number }

/** Queues a mail to somebody who asks for an account. It belongs to no tenant. */
export async function enqueueSignUpMail(
  tx: Db,
  keyring: Keyring,
  { content, ...mail }: SignUpMail,
): Promise<void> {
  await insertMail(tx, mailHost, {
    ...mail,
    tenant_id: installationChain,
    member_id: null,
    invitation_id: null,
    sealed: sealContent(keyring, renderMail(content)),
    failure: null,
  })
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

/** The host under which mails wait in the webhook queue. */
export const mailHost = 'mail:'

/** Binds the sealed content to its purpose. */
const mailUse = tables.mails.sealed.sealed

function sealContent(keyring: Keyring, { subject, text, html }: RenderedMail): Buffer {
  return keyring.seal(mailUse, Buffer.from(JSON.stringify({ subject, text, html })))
}

export async function unsealContent(keyring: Keyring, sealed: Uint8Array): Promise<RenderedMail> {
  return JSON.parse((await keyring.unseal(mailUse, sealed)).toString()) as RenderedMail // sealed by the function above
}

/** The content of a mail, in plain text that is not trusted to be HTML. */
export type MailContent = {
  language: 'en' | 'de'
  subject: string
  paragraphs: readonly string[]
  /** A list after the paragraphs. */
  items?: readonly string[]
  link: { label: string; url: string }
  /** Why the recipient gets this mail, and how to stop it. */
  footer: string
}

type RenderedMail = { subject: string; text: string; html: string }

/** Renders a mail as plain text and as simple HTML with the same words. */
function renderMail(content: MailContent): RenderedMail {
  const { language, subject, link, footer } = content
  const paragraphs = content.paragraphs.map(cleanText)
  const items = (content.items ?? []).map(cleanText)
  const text = [
    ...paragraphs,
    ...(items.length > 0 ? [items.map((item) => `- ${item}`).join('\n')] : []),
    `${link.label}:\n${link.url}`,
    `-- \n${cleanText(footer)}`,
  ].join('\n\n')
  const list = items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')
  const html = `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(cleanText(subject))}</title></head>
<body style="font-family:system-ui,sans-serif;line-height:1.5;max-width:36rem;margin:1.5rem">
${paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n')}
${list === '' ? '' : `<ul>${list}</ul>`}
<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>
<p style="color:#5c6470;font-size:.875rem">${escapeHtml(cleanText(footer))}</p>
</body></html>
`
  return { subject: cleanText(subject), text: `${text}\n`, html }
}

/** Names come from members, merchants and certificates: one line, without characters that change how the rest is read. */
function cleanText(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const batchSize = 1000

/** Deletes counts of mails that no longer matter. The mails of invitations are deleted with them, the others once they ended. */
export async function sweepMailRoom({ db }: Pick<Context, 'db'>): Promise<void> {
  while ((await deleteOldMailRoom(db, batchSize)) >= batchSize) {
    // Delete the next batch.
  }
}
