import type { AlertPayload } from '@vidimus/contract'
import type { Context } from '../../context.ts'
import { signMessage } from '../../webhooks/compose.ts'
import { limits } from '../../webhooks/deliver/attempt.ts'
import { computeRetryDelay } from '../../webhooks/deliver/retry-schedule.ts'
import { describeOutcome } from '../../webhooks/log/describe-outcome.ts'
import { unsealAlertSecret } from './secret.ts'
import { claimQueued, recordAttempt, type ClaimedAlert } from './store.ts'

const maxConcurrent = 8
/** A lease outlasts the attempt it is for. */
const lease_seconds = (3 * limits.timeout_ms) / 1000

type DeliverContext = Pick<Context, 'config' | 'db' | 'egress' | 'keyring' | 'log' | 'metrics'>

/**
 * Delivers due alerts to the tenants' webhooks, with the signature, limits and retry schedule of every other webhook. Each is
 * delivered at least once: a process that is killed before it has recorded an attempt leaves it to be made again.
 */
export async function deliverAlertWebhooks(ctx: DeliverContext): Promise<boolean> {
  const events = await claimQueued(ctx.db, { limit: maxConcurrent, lease_seconds })
  await Promise.all(events.map((event) => deliver(ctx, event)))
  return events.length > 0
}

async function deliver(ctx: DeliverContext, event: ClaimedAlert): Promise<void> {
  const sealed = [event.sealed, ...(event.previous_sealed === null ? [] : [event.previous_sealed])]
  const secrets = await Promise.all(sealed.map((each) => unsealAlertSecret(ctx.keyring, each)))
  // Stored by this slice; only the time of the attempt is added.
  const payload = { ...event.payload, sent_at: event.now } as AlertPayload
  const message = signMessage(payload, { event_id: event.event_id, attempt: event.attempts, secrets })
  const response = await ctx.egress.request({
    ...limits,
    method: 'POST',
    url: event.url,
    compose: (write) => write(message),
  })
  if (response.outcome === 'withdrawn') throw new Error('The alert was composed but not sent.')
  const { outcome, error } = describeOutcome(response)
  const delivered = outcome === 'delivered'
  const delay_seconds = delivered
    ? undefined
    : computeRetryDelay({
        failures: event.attempts,
        backoff_seconds: ctx.config.WEBHOOK_BACKOFF_SECONDS,
        retry_after: response.outcome === 'answered' ? response.headers.retry_after : undefined,
        now_ms: Date.parse(event.now),
      })
  ctx.metrics.alertWebhooks.inc({
    outcome: delivered ? 'delivered' : delay_seconds === undefined ? 'failed' : 'deferred',
  })
  if (!delivered && delay_seconds === undefined)
    ctx.log.warn({ tenant_id: event.tenant_id, attempt: event.attempts }, 'an alert could not be delivered')
  await recordAttempt(ctx.db, event, { outcome: error ?? 'delivered', delay_seconds })
}
