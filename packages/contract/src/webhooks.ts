import { z } from 'zod'
import { Timestamp } from './values.ts'
import { Verification } from './verifications.ts'

/** What a receiver is sent when a verification with a `webhook_url` has its result (HOOK-1). */
export type WebhookPayload = z.infer<typeof WebhookPayload>
export const WebhookPayload = z
  .strictObject({
    type: z.enum(['verification.completed', 'verification.failed']),
    verification: Verification,
    sent_at: Timestamp.meta({ description: 'Of this attempt.' }),
  })
  .meta({ id: 'WebhookPayload' })

/** What is sent when somebody tries an address out. It tells of no verification, so that nothing can take it for one. */
export type TestPayload = z.infer<typeof TestPayload>
export const TestPayload = z
  .strictObject({ type: z.literal('webhook.test'), environment: z.literal('test'), sent_at: Timestamp })
  .meta({ id: 'WebhookTestPayload' })

export type Webhook = { summary: string; description: string; body: z.ZodType }

const retryNote =
  'Any 2xx within ten seconds acknowledges it. Otherwise it is sent again, six times in all by default.'

/** Everything that the service sends by itself, by the `type` that it carries. */
export const webhooks = {
  'verification.completed': {
    summary: 'A verification was completed',
    description: `Sent to the \`webhook_url\` of the verification. ${retryNote}`,
    body: WebhookPayload,
  },
  'verification.failed': {
    summary: 'A verification failed',
    description: `Sent to the \`webhook_url\` of the verification. ${retryNote}`,
    body: WebhookPayload,
  },
  'webhook.test': {
    summary: 'Somebody tries the address out',
    description:
      'Sent once, when it is asked for on the dashboard. Answer it with any 2xx, and act on nothing.',
    body: TestPayload,
  },
} satisfies Record<string, Webhook>

/** The headers of every message, with what they mean. */
export const webhookHeaders: Record<string, string> = {
  'X-Service-Signature':
    '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>`, keyed with the whole `whsec_…` secret. For 24 hours after a rotation there are two `v1`, the new secret first.',
  'X-Service-Event-Id': 'The same on every attempt and resend of an event: tells a repetition.',
  'X-Service-Attempt': 'Counts the attempts of this event, from 1.',
}
