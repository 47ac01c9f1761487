import { z } from 'zod'
import { AlertPayload } from './alerts.ts'
import { environments } from './scopes.ts'
import { describe, Timestamp } from './values.ts'
import { exampleVerificationId, Verification } from './verifications.ts'
import {
  isVerificationEvent,
  verificationEventTypes,
  webhookEvents,
  webhookEventTypes,
  webhookUrlEvents,
  type WebhookEventType,
} from './vocabulary/webhook-events.ts'

const eventsOfEndpoints = verificationEventTypes.filter((type) => !webhookUrlEvents.includes(type))

/** The webhook that is sent when a verification has an outcome (HOOK-1). */
export type WebhookPayload = z.infer<typeof WebhookPayload>
export const WebhookPayload = z
  .strictObject({
    type: describe(
      z.enum(verificationEventTypes),
      `What happened. Only an endpoint that asks for it gets ${eventsOfEndpoints.map((type) => `\`${type}\``).join(' or ')}.`,
      'verification.completed',
    ),
    verification: Verification,
    sent_at: describe(Timestamp, 'The time of this attempt.', '2026-11-15T12:01:31.123456Z'),
  })
  .meta({ id: 'WebhookPayload' })

/** The webhooks about an erasure that a holder asked for. They have the id of the verification and nothing else of it. */
export type ErasurePayload = z.infer<typeof ErasurePayload>
export const ErasurePayload = z
  .strictObject({
    type: describe(
      z.enum(['erasure.requested', 'erasure.executed']),
      '`erasure.requested`: erase the verification, or refuse. `erasure.executed`: it is erased here; erase your copies.',
      'erasure.executed',
    ),
    erasure: describe(
      z.strictObject({
        verification_id: describe(z.string(), 'The verification.', exampleVerificationId),
        environment: describe(z.enum(environments), 'Its environment.', 'live'),
        requested_at: describe(Timestamp, 'When its holder asked.', '2026-11-19T12:00:00.123456Z'),
        due_at: describe(
          Timestamp,
          'Until when you answer. Only of a request.',
          '2026-12-19T12:00:00.123456Z',
        ).optional(),
        executed_at: describe(
          Timestamp,
          'When it was erased. Only once it is.',
          '2026-11-19T12:00:00.234567Z',
        ).optional(),
      }),
      'What is or was erased.',
      {
        verification_id: exampleVerificationId,
        environment: 'live',
        requested_at: '2026-11-19T12:00:00.123456Z',
        executed_at: '2026-11-19T12:00:00.234567Z',
      },
    ),
    sent_at: describe(Timestamp, 'The time of this attempt.', '2026-11-19T12:00:01.123456Z'),
  })
  .meta({ id: 'WebhookErasurePayload' })

/** A test webhook. It contains no verification, so that no receiver mistakes it for a result. */
export type TestPayload = z.infer<typeof TestPayload>
export const TestPayload = z
  .strictObject({
    type: describe(z.literal('webhook.test'), 'Always `webhook.test`.', 'webhook.test'),
    environment: describe(z.literal('test'), 'Always `test`.', 'test'),
    sent_at: describe(Timestamp, 'When it was sent.', '2026-11-15T12:00:00.123456Z'),
  })
  .meta({ id: 'WebhookTestPayload' })

export type Webhook = { summary: string; description: string; body: z.ZodType }

const retryNote =
  'Any 2xx response within ten seconds acknowledges it. Otherwise it is retried, up to six attempts in total by default.'

/** The webhooks that the service sends, by `type`. */
export const webhooks: Record<string, Webhook> = {
  ...Object.fromEntries(webhookEventTypes.map((type) => [type, describeEvent(type)])),
  'alert.raised': {
    summary: 'An alert was raised',
    description: `Sent to the alert URL of the tenant's settings, signed with its own secret, when an alert is raised or becomes more urgent. ${retryNote}`,
    body: AlertPayload,
  },
  'alert.resolved': {
    summary: 'An alert was resolved',
    description: `Sent to the alert URL of the tenant's settings when the cause of an alert is gone. ${retryNote}`,
    body: AlertPayload,
  },
  'webhook.test': {
    summary: 'Test event',
    description: 'Sent once, on request from the dashboard. Return any 2xx and take no action.',
    body: TestPayload,
  },
}

function describeEvent(type: WebhookEventType): Webhook {
  const { summary, to_webhook_url, ...more } = webhookEvents[type]
  const receivers = to_webhook_url
    ? 'to the `webhook_url` of the verification and to the endpoints'
    : 'only to endpoints'
  const when = 'sent' in more ? `, ${more.sent}` : ''
  return {
    summary,
    description: `Sent ${receivers} that ask for it${when}. ${retryNote}`,
    body: isVerificationEvent(type) ? WebhookPayload : ErasurePayload,
  }
}

/** The headers of every webhook: name and description. */
export const webhookHeaders: Record<string, string> = {
  'X-Service-Signature':
    '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>`, keyed with the whole `whsec_…` secret. For 24 hours after a rotation the header has two `v1` values, the new secret first.',
  'X-Service-Event-Id': 'The same on every attempt and resend of an event. Use it to detect duplicates.',
  'X-Service-Attempt': 'The attempt number of this event, starting at 1.',
}
