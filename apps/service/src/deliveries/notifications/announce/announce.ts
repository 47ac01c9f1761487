import type { MailKind } from '@vidimus/contract'
import { type MemberToNotify, listMembersToNotify } from '../../../accounts/index.ts'
import {
  type AlertEvent,
  type MailContent,
  enqueueMemberMail,
  listTenantsToAnnounce,
  takeEvents,
} from '../../../audit/index.ts'
import type { Context } from '../../../engine/context.ts'
import type { Db } from '../../../engine/db/index.ts'
import { isWanted } from '../choices/choose-alerts.ts'
import { readChoices } from '../choices/store.ts'
import type { NotificationTexts } from '../texts/alert-texts.ts'
import { describeAlert, textsOf } from '../texts/describe-alert.ts'
import { enqueueAlertWebhooks } from '../webhook/enqueue.ts'
import { addAnnounced, lockRate } from './rate-store.ts'

/** The most alerts of a tenant that are mailed one by one within an hour. The rest follow in one digest when the hour ends. */
export const maxAlertsPerHour = 10
const maxTenants = 50
const maxEvents = 200

type AnnounceContext = Pick<Context, 'db' | 'config' | 'keyring'>

/**
 * Turns the events of alerts into mails and webhooks to send. Both commit together with the deletion of the events, so that each
 * alert is announced exactly once. False if there was nothing to announce.
 */
export async function announceAlerts(ctx: AnnounceContext): Promise<boolean> {
  const tenants = await listTenantsToAnnounce(ctx.db, maxTenants)
  for (const tenant_id of tenants) await ctx.db.transaction((tx) => announceTenant(tx, ctx, tenant_id))
  return tenants.length > 0
}

async function announceTenant(tx: Db, ctx: AnnounceContext, tenant_id: string): Promise<void> {
  // The lock also keeps other workers from announcing the same events.
  const rate = await lockRate(tx, tenant_id)
  if (rate === undefined) return
  await takeEvents(tx, { tenant_id, limit: maxEvents }, async (events) => {
    await enqueueAlertWebhooks(
      tx,
      ctx,
      tenant_id,
      events.filter(({ held }) => !held),
    )
    const toMail = events.filter(isWorthMailing)
    const waited = toMail.filter(({ held }) => held)
    // A digest of one alert is a mail about it.
    const digest = waited.length > 1 ? waited : []
    const fresh = toMail.filter((event) => !digest.includes(event))
    const single = fresh.slice(0, Math.max(0, maxAlertsPerHour - rate.announced))
    const recipients = single.length + digest.length > 0 ? await listRecipients(tx, tenant_id) : []
    for (const event of single) await enqueueAlertMail(tx, ctx, { event, recipients })
    if (digest.length > 0) await enqueueDigest(tx, ctx, { tenant_id, events: digest, recipients })
    await addAnnounced(tx, { tenant_id, count: single.length + (digest.length > 0 ? 1 : 0) })
    return { held: fresh.slice(single.length), until: rate.ends_at }
  })
}

/** Resolved alerts are not mailed. */
function isWorthMailing({ type, resolved_at }: AlertEvent): boolean {
  return type === 'raised' && resolved_at === null
}

type MailContext = Pick<Context, 'config' | 'keyring'>

type Digest = { tenant_id: string; events: readonly AlertEvent[]; recipients: readonly Recipient[] }

/** A mail that could not be sent within this time is not sent any more. */
const lifetime_hours = 24
/** How many alerts a digest names. */
const maxItems = 20

/** Queues a mail about one alert to every member who wants alerts of its kind. */
async function enqueueAlertMail(
  tx: Db,
  ctx: MailContext,
  { event, recipients }: { event: AlertEvent; recipients: readonly Recipient[] },
): Promise<void> {
  for (const recipient of recipients.filter(({ wants }) => wants(event.kind))) {
    const { language, texts } = textsOf(recipient.language)
    const { title, body } = describeAlert(texts, event)
    await enqueue(tx, ctx, recipient, {
      language,
      subject: texts.subject(withEnvironment(texts, title, event), recipient.tenant_name),
      paragraphs: [body],
      link: linkOf(ctx, texts, event),
      footer: texts.alertFooter(recipient.tenant_name),
    })
  }
}

/** Queues one mail about many alerts to every member who wants some of them. */
async function enqueueDigest(tx: Db, ctx: MailContext, { events, recipients }: Digest): Promise<void> {
  for (const recipient of recipients) {
    const { language, texts } = textsOf(recipient.language)
    const wanted = events.filter(({ kind }) => recipient.wants(kind))
    const [first] = wanted
    if (first === undefined) continue
    const items = wanted
      .slice(0, maxItems)
      .map((event) => withEnvironment(texts, describeAlert(texts, event).title, event))
    const unnamed = wanted.length - items.length
    await enqueue(tx, ctx, recipient, {
      language,
      subject: texts.subject(texts.digest.title(wanted.length), recipient.tenant_name),
      paragraphs: [texts.digest.body(wanted.length)],
      items: [...items, ...(unnamed > 0 ? [texts.digest.more(unnamed)] : [])],
      link: linkOf(ctx, texts, first),
      footer: texts.alertFooter(recipient.tenant_name),
    })
  }
}

async function enqueue(tx: Db, ctx: MailContext, to: Recipient, content: MailContent): Promise<void> {
  const { tenant_id, id, email } = to
  await enqueueMemberMail(tx, ctx, { tenant_id, member_id: id, recipient: email, content, lifetime_hours })
}

function withEnvironment(texts: NotificationTexts, title: string, { environment }: AlertEvent): string {
  return environment === null ? title : `${title} (${texts.environment[environment]})`
}

/** Where the alert is explained: the overview, or for a change of access its audit entry. */
function linkOf({ config }: MailContext, texts: NotificationTexts, event: AlertEvent): MailContent['link'] {
  const { kind, environment, details } = event
  const url = `${config.BASE_URL}/dashboard/${environment ?? 'live'}`
  if (kind !== 'access_changed') return { label: texts.openDashboard, url }
  const { action, actor, changed } = details
  const filter = new URLSearchParams({ action: String(action), actor: String(actor) })
  if (changed !== undefined) filter.set('subject', String(changed))
  return { label: texts.openAudit, url: `${url}/audit?${filter.toString()}` }
}

export type Recipient = MemberToNotify & { wants: (kind: MailKind) => boolean }

/** A tenant's members, and what each of them wants by mail. */
export async function listRecipients(tx: Db, tenant_id: string): Promise<Recipient[]> {
  const members = await listMembersToNotify(tx, tenant_id)
  const choices = await readChoices(tx, tenant_id)
  return members.map((member) => {
    const own = choices.filter(({ member_id }) => member_id === member.id)
    return { ...member, wants: (kind) => isWanted(member.role, own, kind) }
  })
}
