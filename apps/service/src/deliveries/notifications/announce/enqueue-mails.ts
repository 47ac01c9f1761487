import { type AlertEvent, type MailContent, enqueueMemberMail } from '../../../audit/index.ts'
import type { Context } from '../../../engine/context.ts'
import type { Db } from '../../../engine/db/index.ts'
import type { NotificationTexts } from '../texts/alert-texts.ts'
import { describeAlert, textsOf } from '../texts/describe-alert.ts'
import type { Recipient } from './list-recipients.ts'

/** Later an alert is no news. */
const lifetime_hours = 24
/** How many alerts a digest names. */
const maxItems = 20

type MailContext = Pick<Context, 'config' | 'keyring'>

/** Queues a mail about one alert to every member who wants alerts of its kind. */
export async function enqueueAlertMail(
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

type Digest = { tenant_id: string; events: readonly AlertEvent[]; recipients: readonly Recipient[] }

/** Queues one mail about many alerts to every member who wants some of them. */
export async function enqueueDigest(tx: Db, ctx: MailContext, { events, recipients }: Digest): Promise<void> {
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
