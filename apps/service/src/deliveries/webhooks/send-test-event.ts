import { randomUUID } from 'node:crypto'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { writeRateLimits } from '../../engine/limits/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { limits } from './deliver/attempt.ts'
import { signMessage } from './compose.ts'
import { hostFromUrl } from './event.ts'
import { describeOutcome, type DeliveryOutcome } from './log/describe-outcome.ts'
import { readTenantSecrets } from './secrets/secrets.ts'
import { readClock } from '../../engine/db/index.ts'

export type SendTestEvent = { by: NewAuditEntry['by']; url: string }

/** The outcome, with the signature and body that were sent, so that a receiver can be debugged. */
export type TestEventResult = DeliveryOutcome & { signature: string; body: string }

/**
 * Sends a signed test event to a URL, once and immediately, and returns the outcome. It belongs to no verification and appears
 * neither in the queue nor in the delivery log. The audit log records the host, and the rate is limited per tenant: otherwise
 * a member could make the service send requests anywhere without leaving a trace.
 */
export async function sendTestEvent(
  ctx: Pick<Context, 'db' | 'egress' | 'keyring' | 'limiter'>,
  { by, url }: SendTestEvent,
): Promise<TestEventResult> {
  const { tenant_id } = by
  await enforceRateLimit(ctx, tenant_id)
  const { verdict } = await ctx.egress.checkUrl(url)
  if (verdict === 'refused')
    throw new Refusal(
      'invalid_webhook_url',
      'The URL must use http or https, resolve to a public address, and contain no user name or password.',
    )

  const secrets = await readTenantSecrets(ctx, { tenant_id, environment: 'test' })
  const sent_at = await readClock(ctx.db)
  const message = signMessage(
    { type: 'webhook.test', environment: 'test', sent_at },
    { event_id: `evt_test_${randomUUID()}`, attempt: 1, secrets },
  )
  await appendAudit(ctx.db, { action: 'webhook.test_sent', by, detail: { host: hostFromUrl(url) } })
  const response = await ctx.egress.request({
    ...limits,
    method: 'POST',
    url,
    compose: (write) => write(message),
  })
  if (response.outcome === 'withdrawn') throw new Error('The test event was composed but not sent.')
  return {
    ...describeOutcome(response),
    signature: message.headers['x-service-signature'],
    body: message.body,
  }
}

async function enforceRateLimit({ limiter }: Pick<Context, 'limiter'>, tenant_id: string): Promise<void> {
  const [usage] = await limiter.count([{ limit: 'test_event', owner: tenant_id }])
  const { requests, seconds } = writeRateLimits.test_event
  if (usage === undefined || usage.used <= requests) return
  throw new Refusal(
    'rate_limit_exceeded',
    `A tenant can send ${requests} test events in ${seconds} seconds. Try again later.`,
    Math.max(1, Math.ceil(usage.reset_ms / 1000)),
  )
}
