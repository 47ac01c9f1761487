import type { Context } from '../context.ts'
import { mailTimeout_ms, type Mailer } from '../platform/mail/open-mailer.ts'
import { unsealContent } from './content.ts'
import { claimMails, endMail, postponeMail, type ClaimedMail } from './store.ts'

/** The delays between attempts: one fewer than there are attempts. Long enough for a server that defers unknown senders. */
export const mailBackoff_seconds = [60, 300, 1800, 7200, 14_400]
const jitter = 0.2
const maxConcurrent = 4
const maxPerTenant = 2
/** A lease outlasts the mail it is for. */
const lease_seconds = (2 * mailTimeout_ms) / 1000

type DeliverContext = Pick<Context, 'db' | 'keyring' | 'log' | 'mailer' | 'metrics'>

/**
 * Sends the mails that are due. Each is sent at least once: if the process is killed after the server took a mail and before
 * that is recorded, it is sent again with the same Message-ID. False if there was nothing to send.
 */
export async function deliverMails(ctx: DeliverContext): Promise<boolean> {
  const { mailer } = ctx
  if (mailer === undefined) return false
  const mails = await claimMails(ctx.db, { limit: maxConcurrent, per_tenant: maxPerTenant, lease_seconds })
  await Promise.all(mails.map((mail) => deliver(ctx, mailer, mail)))
  return mails.length > 0
}

async function deliver(ctx: DeliverContext, mailer: Mailer, mail: ClaimedMail): Promise<void> {
  const { db, keyring, log, metrics } = ctx
  if (mail.expired || mail.sealed === null) {
    metrics.mails.inc({ outcome: 'expired' })
    return endMail(db, mail, { state: 'failed', failure: 'expired' })
  }
  const content = await unsealContent(keyring, mail.sealed)
  const message_id = `<${mail.id}@${mailer.domain}>`
  const sent = await mailer.send({ to: mail.recipient, message_id, ...content })
  if (sent.outcome === 'sent') {
    metrics.mails.inc({ outcome: 'sent' })
    return endMail(db, mail, { state: 'sent', failure: null })
  }
  const failure = sent.outcome === 'refused' ? 'refused' : sent.reason
  const about = { mail: mail.id, tenant_id: mail.tenant_id, failure, code: sent.code, attempt: mail.attempts }
  const delay = sent.outcome === 'refused' ? undefined : mailBackoff_seconds[mail.attempts - 1]
  if (delay === undefined) {
    metrics.mails.inc({ outcome: sent.outcome === 'refused' ? 'refused' : 'failed' })
    log.warn(about, 'a mail could not be delivered')
    return endMail(db, mail, { state: 'failed', failure: `${failure} ${sent.code}` })
  }
  metrics.mails.inc({ outcome: 'deferred' })
  log.info(about, 'a mail will be sent again')
  await postponeMail(db, mail, {
    delay_seconds: delay * (1 - jitter + 2 * jitter * Math.random()),
    failure: `${failure} ${sent.code}`,
  })
}
