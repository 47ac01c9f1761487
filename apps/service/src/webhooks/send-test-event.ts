import { randomUUID } from 'node:crypto'
import { appendAudit, type NewAuditEntry } from '../audit/append.ts'
import type { Context } from '../context.ts'
import { writeRateLimits } from '../platform/limits/rate-limits.ts'
import { Refusal } from '../platform/refusal.ts'
import { limits } from './deliver/attempt.ts'
import { signMessage } from './compose.ts'
import { hostFromUrl } from './event.ts'
import { describeOutcome, type DeliveryOutcome } from './log/describe-outcome.ts'
import { readSigningSecrets } from './secrets/read-secrets.ts'
import { readClock } from './store.ts'

export type SendTestEvent = { by: NewAuditEntry['by']; url: string }

/** What became of it, and what was sent, so that a receiver can be held against it. */
export type TestEventResult = DeliveryOutcome & { signature: string; body: string }

/**
 * Tries an address out: sends one message to it, signed as every other, and says what became of it. It is sent at once and
 * only once, is in no queue and no delivery log, and tells of no verification. The audit log names the host, and a tenant sends
 * a few a minute: whoever may do this could otherwise have us knock at any address, unseen.
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
      'The address must be a public http or https address without a user name or password.',
    )

  const secrets = (await readSigningSecrets(ctx, [tenant_id])).get(tenant_id)
  if (secrets === undefined) throw new Error('a tenant has no webhook secret')
  const sent_at = await readClock(ctx.db)
  const message = signMessage(
    { type: 'webhook.test', environment: 'test', sent_at },
    { event_id: `evt_test_${randomUUID()}`, attempt: 1, secrets },
  )
  await appendAudit(ctx.db, { action: 'webhook.test_sent', by, detail: { host: hostFromUrl(url) } })
  const ended = await ctx.egress.request({
    ...limits,
    method: 'POST',
    url,
    compose: (write) => write(message),
  })
  if (ended.outcome === 'withdrawn') throw new Error('a message that was composed was not sent')
  return { ...describeOutcome(ended), signature: message.headers['x-service-signature'], body: message.body }
}

async function enforceRateLimit({ limiter }: Pick<Context, 'limiter'>, tenant_id: string): Promise<void> {
  const [standing] = await limiter.count([{ limit: 'test_event', owner: tenant_id }])
  const { requests, seconds } = writeRateLimits.test_event
  if (standing === undefined || standing.used <= requests) return
  throw new Refusal(
    'rate_limit_exceeded',
    `At most ${requests} test events in ${seconds} seconds. Try again later.`,
    Math.max(1, Math.ceil(standing.reset_ms / 1000)),
  )
}
