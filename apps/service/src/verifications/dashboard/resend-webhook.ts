import type { Environment } from '@vidimus/contract'
import { appendAudit, type NewAuditEntry } from '../../audit/append.ts'
import type { Context } from '../../context.ts'
import { dayOfSessionId } from '../../platform/ids.ts'
import { Refusal, notFound } from '../../platform/refusal.ts'
import { announceEvents } from '../../webhooks/announce.ts'
import { enqueueWebhook } from '../../webhooks/enqueue.ts'
import { lockWebhookReceiver } from '../store.ts'

export type ResendWebhook = { by: NewAuditEntry['by']; environment: Environment; id: string }

/**
 * Sends the webhook again, at once: with the same event id, the next attempt number and the session's current state. An event
 * that waits for its next attempt becomes due; one that is being sent is left alone.
 */
export async function resendWebhook({ db }: Pick<Context, 'db'>, resend: ResendWebhook): Promise<void> {
  const { by, environment, id } = resend
  const { tenant_id } = by
  const day = dayOfSessionId(id)
  if (day === undefined) throw notFound('session_not_found')

  await db.transaction(async (tx) => {
    const session = await lockWebhookReceiver(tx, { day, id, tenant_id, environment })
    if (session === undefined) throw notFound('session_not_found')
    if (session.webhook_url === null)
      throw new Refusal('invalid_request', 'This verification has no webhook_url.')
    if (session.status !== 'completed' && session.status !== 'failed')
      throw new Refusal('invalid_request', 'This verification has no result to send.')

    const { webhook_url: url } = session
    await enqueueWebhook(tx, {
      session_id: id,
      session_day: day,
      tenant_id,
      environment,
      url,
      forget_on_delivery: session.forget_on_delivery,
    })
    await appendAudit(tx, { action: 'webhook.resent', by, subject: id })
  })
  announceEvents(db)
}
