import { z } from 'zod'
import { verificationEventTypes } from '../vocabulary/webhook-events.ts'
import { Count, describe, TimestampInput, queryInteger, Timestamp, Uri } from '../values.ts'
import { exampleVerificationId } from '../verifications.ts'
import { exampleEndpointId } from '../webhook-endpoints.ts'

export type WebhookSecretState = z.infer<typeof WebhookSecretState>
export const WebhookSecretState = z
  .strictObject({
    created_at: Timestamp,
    /** Until then the previous secret signs too, and the header has two `v1=` values. */
    previous_retires_at: Timestamp.optional(),
    now: Timestamp,
  })
  .meta({ id: 'WebhookSecretState' })

export type WebhookSecret = z.infer<typeof WebhookSecret>
export const WebhookSecret = z
  .strictObject({
    secret: z.string().meta({ description: 'Starts with `whsec_`.' }),
    state: WebhookSecretState,
  })
  .meta({ id: 'WebhookSecret' })

const deliveryOutcomes = ['delivered', 'failed', 'refused', 'timed_out', 'interrupted', 'unknown'] as const

export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>
export const DeliveryAttempt = z
  .strictObject({
    verification_id: describe(z.string(), 'The verification that the event is about.', exampleVerificationId),
    attempt: describe(z.int().min(1), 'The number of the attempt, from 1.', 2),
    attempted_at: describe(Timestamp, 'When it was sent.', '2026-11-15T12:01:40.123456Z'),
    outcome: describe(
      z.enum(deliveryOutcomes),
      'What became of it. `unknown`: it may have been delivered before a restore of the database, and was not sent again.',
      'failed',
    ),
    status: describe(
      z.int(),
      'The HTTP status of the receiver’s response, if there was one.',
      503,
    ).optional(),
    duration_ms: describe(Count, 'How long it took.', 87).optional(),
    error: describe(z.string(), 'Why it failed, in English.', 'responded with status 503').optional(),
    endpoint_id: describe(
      z.string(),
      'The endpoint. Absent for attempts to the verification’s own `webhook_url`.',
      exampleEndpointId,
    ).optional(),
    url: describe(
      z.string(),
      'Where it was sent. Its query may be masked. Absent for attempts from before it was recorded.',
      'https://shop.example.com/hooks/vidimus',
    ).optional(),
    event_type: describe(z.enum(verificationEventTypes), 'The event.', 'verification.completed').optional(),
  })
  .meta({ id: 'DeliveryAttempt' })

export type ListDeliveries = z.infer<typeof ListDeliveries>
export const ListDeliveries = z.strictObject({
  limit: describe(
    queryInteger({ min: 1, max: 100, defaultValue: 50 }),
    'How many events to list at most.',
    50,
  ),
  before: describe(TimestampInput, 'Only events before this time.', '2026-11-15T12:01:40Z').optional(),
  verification_id: describe(
    z.string().max(128),
    'Only events about this verification.',
    exampleVerificationId,
  ).optional(),
  outcome: describe(
    z.enum(['succeeded', 'unsuccessful', ...deliveryOutcomes]),
    'Only events whose latest attempt had this outcome. `unsuccessful`: all that were not delivered.',
    'unsuccessful',
  ).optional(),
  endpoint_id: describe(
    z.string().max(40),
    'An endpoint, or `verification` for the verifications’ own `webhook_url`.',
    exampleEndpointId,
  ).optional(),
  event_type: describe(
    z.enum(verificationEventTypes),
    'Only this event.',
    'verification.completed',
  ).optional(),
  after: describe(TimestampInput, 'Only events after this time.', '2026-11-15T00:00:00Z').optional(),
})

/** An event that was forwarded to `vidimus listen`. It is not a delivery attempt and does not affect the queue. */
export type ForwardedEvent = z.infer<typeof ForwardedEvent>
export const ForwardedEvent = z
  .strictObject({
    forward_id: describe(z.string(), 'The id of what was forwarded to `vidimus listen`.', '4711'),
    verification_id: describe(z.string(), 'The verification that the event is about.', exampleVerificationId),
    attempted_at: describe(Timestamp, 'When it was forwarded.', '2026-11-15T12:01:31.123456Z'),
    outcome: describe(
      z.enum(['delivered', 'failed', 'unreported']),
      'As reported by the listener; `unreported` until it reports.',
      'delivered',
    ),
    status: describe(z.int(), 'The HTTP status of the local receiver’s response.', 200).optional(),
    duration_ms: describe(Count, 'How long it took.', 12).optional(),
    error: describe(z.string(), 'Why it failed, in English.', 'connection refused').optional(),
  })
  .meta({ id: 'ForwardedEvent' })

/** A verification's event for one receiver: its latest attempt, its state, and the newest attempts inside. */
export type DeliveryEvent = z.infer<typeof DeliveryEvent>
export const DeliveryEvent = z
  .strictObject({
    ...DeliveryAttempt.shape,
    state: describe(
      z.enum(['delivered', 'waiting', 'sending', 'exhausted', 'unknown']),
      'What becomes of the event. `exhausted`: no attempt follows.',
      'waiting',
    ),
    next_attempt_at: describe(
      Timestamp,
      'When the next attempt follows.',
      '2026-11-15T12:02:40.123456Z',
    ).optional(),
    attempts: describe(
      z.array(
        DeliveryAttempt.pick({
          attempt: true,
          attempted_at: true,
          outcome: true,
          status: true,
          duration_ms: true,
          error: true,
        }),
      ),
      'The attempts, newest first, 20 at most.',
    ),
  })
  .meta({ id: 'DeliveryEvent' })

export type DeliveryList = z.infer<typeof DeliveryList>
export const DeliveryList = z
  .strictObject({
    data: describe(
      z.array(z.union([DeliveryEvent, ForwardedEvent])),
      'Events with their attempts, and events that were forwarded to `vidimus listen`, newest first.',
    ),
    backoff_seconds: describe(
      z.array(z.number().min(0)),
      'The delays between the attempts of an event: there is one attempt more than there are delays.',
      [10, 60, 600, 3600],
    ),
  })
  .meta({ id: 'DeliveryList' })

export type DeliveryDetail = z.infer<typeof DeliveryDetail>
export const DeliveryDetail = z
  .strictObject({
    delivery: DeliveryAttempt,
    /** Every attempt of the same event, oldest first. */
    attempts: z.array(DeliveryAttempt),
    event_id: z.string(),
    url: z.string().optional(),
    /** Whether the receiver's response to this attempt is kept. It may repeat claims, so it is revealed with the payload. */
    has_response: z.boolean(),
    /** The state of the event. */
    state: z.enum(['delivered', 'waiting', 'sending', 'exhausted', 'unknown', 'gone']),
    next_attempt_at: Timestamp.optional(),
    /** The payload as it would be sent now, without its claims (HOOK-13). */
    payload: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'DeliveryDetail' })

export type DeliveryPayload = z.infer<typeof DeliveryPayload>
export const DeliveryPayload = z
  .strictObject({
    /** The body as it would be sent now, byte for byte except `sent_at`. */
    body: z.string(),
    /** The beginning of the receiver's response to the attempt, as long as the result is kept. */
    response_body: z.string().optional(),
  })
  .meta({ id: 'DeliveryPayload' })

export type SendTestEvent = z.infer<typeof SendTestEvent>
export const SendTestEvent = z.strictObject({ url: Uri }).meta({ id: 'SendTestEvent' })

export type TestEventResult = z.infer<typeof TestEventResult>
export const TestEventResult = z
  .strictObject({
    outcome: z.enum(['delivered', 'failed', 'refused', 'timed_out']),
    status: z.int().optional(),
    duration_ms: z.int().min(0),
    error: z.string().optional(),
    /** The signature and body that were sent, to debug the receiver. */
    signature: z.string(),
    body: z.string(),
  })
  .meta({ id: 'TestEventResult' })

const resendSince = 'Events that failed for good at or after this time.'
const resendEndpoint = 'Only events to this endpoint. Absent: to all.'

/** A request to resend every event that failed for good since a time. Workers queue them at a bounded rate. */
export type FailedResend = z.infer<typeof FailedResend>
export const FailedResend = z
  .strictObject({
    since: describe(Timestamp, resendSince, '2026-11-15T00:00:00.000000Z'),
    endpoint_id: describe(z.string(), resendEndpoint, exampleEndpointId).optional(),
    requested_at: describe(Timestamp, 'When it was requested.', '2026-11-15T12:30:00.123456Z'),
    queued: describe(Count, 'How many events were queued so far.', 17),
    finished_at: describe(
      Timestamp,
      'When all were queued. Absent until then.',
      '2026-11-15T12:30:04.123456Z',
    ).optional(),
  })
  .meta({ id: 'FailedResend' })

export type LatestResend = z.infer<typeof LatestResend>
export const LatestResend = z
  .strictObject({ latest: describe(FailedResend, 'Absent if there was none.').optional() })
  .meta({ id: 'LatestResend' })

export type ResendFailed = z.infer<typeof ResendFailed>
export const ResendFailed = z
  .strictObject({
    since: describe(TimestampInput, resendSince, '2026-11-15T00:00:00Z'),
    endpoint_id: describe(z.string().max(40), resendEndpoint, exampleEndpointId).optional(),
  })
  .meta({ id: 'ResendFailed', examples: [{ since: '2026-11-15T00:00:00Z' }] })
