import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { Refusal } from '../platform/refusal.ts'
import { limits } from './attempt.ts'
import { signMessage } from './compose.ts'
import { nameOutcome, type NamedOutcome } from './name-outcome.ts'
import { readSigningSecrets } from './read-secrets.ts'
import { readClock } from './store.ts'

export type SendTest = { tenant_id: string; url: string }

/** What became of it, and what was sent, so that a receiver can be held against it. */
export type SentTest = NamedOutcome & { signature: string; body: string }

/**
 * Tries an address out: sends one message to it, signed as every other, and says what became of it. It is sent at once and
 * only once, is in no queue and no log, and tells of no verification.
 */
export async function sendTestWebhook(
  ctx: Pick<Context, 'db' | 'egress' | 'keyring'>,
  { tenant_id, url }: SendTest,
): Promise<SentTest> {
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
  const ended = await ctx.egress.request({
    ...limits,
    method: 'POST',
    url,
    compose: (write) => write(message),
  })
  if (ended.outcome === 'withdrawn') throw new Error('a message that was composed was not sent')
  return { ...nameOutcome(ended), signature: message.headers['x-service-signature'], body: message.body }
}
