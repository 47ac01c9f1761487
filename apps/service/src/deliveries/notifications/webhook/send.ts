import type { AlertPayload } from '@vidimus/contract'
import type { Context } from '../../../engine/context.ts'
import { signMessage } from '../../webhooks/compose.ts'
import { limits, type SentOutcome } from '../../webhooks/deliver/attempt.ts'
import type { MessageSender } from '../../webhooks/deliver/senders.ts'
import type { ClaimedAlert } from '../../webhooks/event.ts'
import { unsealAlertSecret } from './secret.ts'
import { updateLastOutcome } from './store.ts'

/** How the webhook queue delivers alerts: what is sent, and what is kept of an attempt besides the retry that the queue schedules. */
export function alertSender(
  ctx: Pick<Context, 'db' | 'egress' | 'keyring' | 'log' | 'metrics'>,
): MessageSender<ClaimedAlert> {
  return {
    send: (alert) => sendAlert(ctx, alert),
    async onRecorded({ tenant_id, attempt }, { outcome, error, wait_seconds }) {
      const isLast = outcome !== 'delivered' && wait_seconds === null
      ctx.metrics.alertWebhooks.inc({
        outcome: outcome === 'delivered' ? 'delivered' : isLast ? 'failed' : 'deferred',
      })
      if (isLast) ctx.log.warn({ tenant_id, attempt }, 'an alert could not be delivered')
      await updateLastOutcome(ctx.db, { tenant_id, outcome: error ?? 'delivered' })
    },
  }
}

/** Sends an alert to the tenant's webhook once, signed with the secrets of that webhook. */
async function sendAlert(
  { egress, keyring }: Pick<Context, 'egress' | 'keyring'>,
  alert: ClaimedAlert,
): Promise<SentOutcome> {
  const { verification_id: event_id, attempt, url, now } = alert
  const sealed = alert.sealed.split(' ').map((each) => Buffer.from(each, 'base64'))
  const secrets = await Promise.all(sealed.map((each) => unsealAlertSecret(keyring, each)))
  // Stored by this module; only the time of the attempt is added.
  const payload = { ...alert.payload, sent_at: now } as AlertPayload
  const message = signMessage(payload, { event_id, attempt, secrets })
  const response = await egress.request({
    ...limits,
    method: 'POST',
    url,
    compose: (write) => write(message),
  })
  if (response.outcome === 'withdrawn') throw new Error('The alert was composed but not sent.')
  return { ...response, sent_at: now }
}
