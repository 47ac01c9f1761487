import { z } from 'zod'
import { webhookEventTypes } from '../vocabulary/webhook-events.ts'
import { Count, TimestampInput, queryInteger, Timestamp, Uri } from '../values.ts'

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

/** `unknown`: it may have been delivered before a restore of the database, and was not sent again. */
const deliveryOutcomes = ['delivered', 'failed', 'refused', 'timed_out', 'interrupted', 'unknown'] as const

export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>
export const DeliveryAttempt = z
  .strictObject({
    verification_id: z.string(),
    attempt: z.int().min(1),
    attempted_at: Timestamp,
    outcome: z.enum(deliveryOutcomes),
    /** The HTTP status of the receiver's response, if there was one. */
    status: z.int().optional(),
    duration_ms: z.int().min(0).optional(),
    error: z.string().optional(),
    /** Absent for attempts to the verification's own `webhook_url`. */
    endpoint_id: z.string().optional(),
    /** The query is masked for members who may not read claims. Absent for attempts from before it was recorded. */
    url: z.string().optional(),
    event_type: z.enum(webhookEventTypes).optional(),
  })
  .meta({ id: 'DeliveryAttempt' })

export type ListDeliveries = z.infer<typeof ListDeliveries>
export const ListDeliveries = z.strictObject({
  limit: queryInteger({ min: 1, max: 100, defaultValue: 50 }),
  before: TimestampInput.optional(),
  verification_id: z.string().max(128).optional(),
  /** The outcome of the latest attempt. */
  outcome: z.enum(['succeeded', 'unsuccessful', ...deliveryOutcomes]).optional(),
  /** An endpoint's id, or `verification` for the verifications' own `webhook_url`. */
  endpoint_id: z.string().max(40).optional(),
  event_type: z.enum(webhookEventTypes).optional(),
  after: TimestampInput.optional(),
})

/** An event that was forwarded to `vidimus listen`. It is not a delivery attempt and does not affect the queue. */
export type ForwardedEvent = z.infer<typeof ForwardedEvent>
export const ForwardedEvent = z
  .strictObject({
    forward_id: z.string(),
    verification_id: z.string(),
    attempted_at: Timestamp,
    /** As reported by the listener; `unreported` until it reports. */
    outcome: z.enum(['delivered', 'failed', 'unreported']),
    status: z.int().optional(),
    duration_ms: z.int().min(0).optional(),
    error: z.string().optional(),
  })
  .meta({ id: 'ForwardedEvent' })

/** A verification's event for one receiver: its latest attempt, its state, and the newest attempts inside. */
export type DeliveryEvent = z.infer<typeof DeliveryEvent>
export const DeliveryEvent = z
  .strictObject({
    ...DeliveryAttempt.shape,
    state: z.enum(['delivered', 'waiting', 'sending', 'exhausted', 'unknown']),
    next_attempt_at: Timestamp.optional(),
    /** Newest first, 20 at most. */
    attempts: z.array(
      DeliveryAttempt.pick({
        attempt: true,
        attempted_at: true,
        outcome: true,
        status: true,
        duration_ms: true,
        error: true,
      }),
    ),
  })
  .meta({ id: 'DeliveryEvent' })

export type DeliveryList = z.infer<typeof DeliveryList>
export const DeliveryList = z
  .strictObject({
    data: z.array(z.union([DeliveryEvent, ForwardedEvent])),
    /** The delays between the attempts of an event: one attempt more than there are delays. */
    backoff_seconds: z.array(z.number().min(0)),
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

/** A request to resend every event that failed for good since a time. Workers queue them at a bounded rate. */
export type FailedResend = z.infer<typeof FailedResend>
export const FailedResend = z
  .strictObject({
    since: Timestamp,
    endpoint_id: z.string().optional(),
    requested_at: Timestamp,
    /** How many were queued so far. */
    queued: Count,
    finished_at: Timestamp.optional(),
  })
  .meta({ id: 'FailedResend' })

export type LatestResend = z.infer<typeof LatestResend>
export const LatestResend = z.strictObject({ latest: FailedResend.optional() }).meta({ id: 'LatestResend' })

export type ResendFailed = z.infer<typeof ResendFailed>
export const ResendFailed = z
  .strictObject({ since: TimestampInput, endpoint_id: z.string().max(40).optional() })
  .meta({ id: 'ResendFailed' })
