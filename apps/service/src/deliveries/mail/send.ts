import type { Context } from '../../engine/context.ts'
import type { MailFailure } from '../../engine/mail/index.ts'
import { recordMail, unsealContent } from '../../audit/index.ts'

/** The delays between attempts: one fewer than there are attempts. Long enough for a server that defers unknown senders. */
export const mailBackoff_seconds = [60, 300, 1800, 7200, 14_400]

type MailContext = Pick<Context, 'db' | 'keyring' | 'log' | 'mailer' | 'metrics'>
type MailResult =
  | { outcome: 'sent' }
  | { outcome: 'expired' }
  | MailFailure
  | { outcome: 'failed'; reason: 'no_server'; code: string }

/** A mail as it is claimed from the webhook queue. */
export type QueuedMail = {
  /** The mail's own id. */
  verification_id: string
  tenant_id: string
  attempt: number
  failures: number
  payload: { recipient: string; expired: boolean }
  /** The content, in base64. */
  sealed: string
}

/**
 * Makes one attempt to send a mail from the webhook queue. Mails are sent at least once: if the process is killed after the server
 * accepted a mail and before that is recorded, it is sent again with the same Message-ID.
 */
export async function sendMail(ctx: MailContext, mail: QueuedMail) {
  const started_ms = performance.now()
  const result = await trySend(ctx, mail)
  const duration_ms = Math.round(performance.now() - started_ms)
  const backoff_seconds = result.outcome === 'failed' ? mailBackoff_seconds : []
  const isLast = backoff_seconds[mail.failures] === undefined
  const error = await recordResult(ctx, mail, result, isLast)
  return { outcome: 'concluded', delivered: error === null, error, duration_ms, backoff_seconds } as const
}

async function trySend({ keyring, mailer }: MailContext, mail: QueuedMail): Promise<MailResult> {
  const { recipient, expired } = mail.payload
  if (expired) return { outcome: 'expired' }
  if (mailer === undefined) return { outcome: 'failed', reason: 'no_server', code: '' }
  const content = await unsealContent(keyring, Buffer.from(mail.sealed, 'base64'))
  const message_id = `<${mail.verification_id}@${mailer.domain}>`
  return mailer.send({ to: recipient, message_id, ...content })
}

/** Counts, logs and stores the outcome of an attempt. Returns why it failed, or null. */
async function recordResult(
  { db, log, metrics }: MailContext,
  { verification_id: id, tenant_id, attempt }: QueuedMail,
  result: MailResult,
  isLast: boolean,
): Promise<string | null> {
  const { outcome } = result
  metrics.mails.inc({ outcome: outcome === 'failed' && !isLast ? 'deferred' : outcome })
  if (outcome === 'sent') {
    await recordMail(db, { id, state: 'sent', failure: null })
    return null
  }
  const reason = outcome === 'failed' ? result.reason : outcome
  const code = outcome === 'expired' ? '' : result.code
  const about = { mail: id, tenant_id, failure: reason, code, attempt }
  if (!isLast) log.info(about, 'a mail was not sent and will be retried')
  else if (outcome !== 'expired') log.warn(about, 'a mail could not be delivered')
  const failure = `${reason} ${code}`.trimEnd()
  await recordMail(db, { id, state: isLast ? 'failed' : 'waiting', failure })
  return failure
}
