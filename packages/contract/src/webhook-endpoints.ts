import { z } from 'zod'
import { environments } from './scopes.ts'
import { text } from './text.ts'
import { describe, Timestamp, Uri } from './values.ts'
import { webhookEventTypes } from './vocabulary/webhook-events.ts'

/** The most endpoints of a tenant in one environment. */
export const maxWebhookEndpoints = 16

const exampleUrl = 'https://shop.example.com/hooks/vidimus'
const exampleEvents = ['verification.completed', 'verification.failed']

export const exampleEndpointId = 'we_p7Qm2xV9rT4wYb6nKc1sHd'

export const WebhookEndpointId = describe(
  z.string().regex(/^we_[A-Za-z0-9_-]{22}$/),
  'The id of the endpoint.',
  exampleEndpointId,
)

const EventTypes = z
  .array(z.enum(webhookEventTypes))
  .min(1)
  .max(webhookEventTypes.length)
  .refine((types) => new Set(types).size === types.length, 'must not repeat a type')

const Description = text({ max: 200 })

export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>
export const WebhookEndpoint = z
  .strictObject({
    id: WebhookEndpointId,
    url: describe(z.string(), 'Where events are sent.', exampleUrl),
    environment: describe(z.enum(environments), 'The environment of the key that created it.', 'test'),
    events: describe(z.array(z.enum(webhookEventTypes)), 'The events that it gets.', exampleEvents),
    description: describe(z.string(), 'Your note, or an empty text.', 'Orders'),
    enabled: describe(z.boolean(), 'Whether events are sent to it.', true),
    disabled_reason: describe(
      z.enum(['by_request', 'failing']),
      'Why it is disabled: you asked for it, or every attempt of five days failed.',
      'failing',
    ).optional(),
    disabled_at: describe(Timestamp, 'When it was disabled.', '2026-11-20T12:00:00.123456Z').optional(),
    failing_since: describe(
      Timestamp,
      'The first failed attempt since the last that succeeded. Absent while it works.',
      '2026-11-15T12:00:00.123456Z',
    ).optional(),
    secret_created_at: describe(
      Timestamp,
      'When its signing secret was created.',
      '2026-11-15T09:00:00.123456Z',
    ),
    previous_secret_retires_at: describe(
      Timestamp,
      'Until then the previous secret signs too.',
      '2026-11-16T09:00:00.123456Z',
    ).optional(),
    created_at: describe(Timestamp, 'When it was created.', '2026-11-15T09:00:00.123456Z'),
  })
  .meta({ id: 'WebhookEndpoint' })

export type WebhookEndpointList = z.infer<typeof WebhookEndpointList>
export const WebhookEndpointList = z
  .strictObject({
    data: describe(z.array(WebhookEndpoint), `Newest first, at most ${maxWebhookEndpoints}.`, []),
  })
  .meta({ id: 'WebhookEndpointList' })

export type WebhookEndpointSecret = z.infer<typeof WebhookEndpointSecret>
export const WebhookEndpointSecret = z
  .strictObject({
    endpoint: WebhookEndpoint,
    secret: describe(z.string(), 'Starts with `whsec_`. Shown only once.', 'whsec_…'),
  })
  .meta({ id: 'WebhookEndpointSecret' })

export type CreateWebhookEndpoint = z.infer<typeof CreateWebhookEndpoint>
export const CreateWebhookEndpoint = z
  .strictObject({
    url: describe(
      Uri,
      'Where to send events. http or https, on a public address, without user name or password.',
      exampleUrl,
    ),
    events: describe(EventTypes, 'The events that it gets.', exampleEvents),
    description: describe(Description.default(''), 'A note for yourself.', 'Orders'),
    enabled: describe(z.boolean().default(true), 'Whether to send events to it from now on.', true),
  })
  .meta({ id: 'CreateWebhookEndpoint', examples: [{ url: exampleUrl, events: exampleEvents }] })

export type ChangeWebhookEndpoint = z.infer<typeof ChangeWebhookEndpoint>
export const ChangeWebhookEndpoint = z
  .strictObject({
    url: describe(
      Uri,
      'Where to send events from now on, also those that are being retried.',
      exampleUrl,
    ).optional(),
    events: describe(EventTypes, 'The events that it gets from now on.', exampleEvents).optional(),
    description: describe(Description, 'A note for yourself.', 'Orders').optional(),
    enabled: describe(
      z.boolean(),
      'False stops everything that is sent to it. True starts again, whyever it was disabled.',
      true,
    ).optional(),
  })
  .meta({ id: 'ChangeWebhookEndpoint', examples: [{ description: 'Orders' }] })
