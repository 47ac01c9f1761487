import type { QueuedMail } from '../mail/send.ts'
import type { Environment, VerificationEventType } from '@vidimus/contract'

/** The outcome of a verification, to be delivered to one receiver. A verification has one outcome, and each receiver gets one event. */
export type WebhookEvent = {
  verification_id: string
  /** The endpoint that receives it, or empty for the verification's own `webhook_url`. */
  endpoint_id: string
  verification_day: string
  tenant_id: string
  environment: Environment
  url: string
  /** Whether the result is deleted once it is delivered (RET-3). */
  forget_on_delivery: boolean
}

/** The outcome of a verification, to be queued for its receivers. */
export type VerificationOutcome = Omit<WebhookEvent, 'endpoint_id' | 'url'> & {
  event_type: VerificationEventType
}

/** Identifies an event among those of all verifications and receivers. */
export function eventKey({
  verification_id,
  endpoint_id,
}: Pick<WebhookEvent, 'verification_id' | 'endpoint_id'>): string {
  return `${verification_id} ${endpoint_id}`
}

/** URLs are checked when they are set; one that no longer parses is refused when it is delivered. */
export function hostFromUrl(url: string): string {
  return URL.parse(url)?.host ?? ''
}

/** What one sender has claimed until its lease expires. `attempt` counts from 1; `failures` selects the retry delay. */
type Claim = { host: string; lease: string; attempt: number; failures: number }

export type ClaimedEvent = WebhookEvent & Claim & { kind: 'verification' }

/** A message that is not about a verification. `verification_id` is its own id. */
type ClaimedMessage = Pick<WebhookEvent, 'verification_id' | 'endpoint_id' | 'tenant_id' | 'url'> &
  Claim & {
    /** Whether the receiver was removed. */
    endpoint_state: 'deleted' | null
    now: string
  }

/** An alert for the tenant's alert webhook. */
export type ClaimedAlert = ClaimedMessage & {
  kind: 'alert'
  /** Without the time of the attempt. */
  payload: object
  /** The active secrets of the webhook, sealed and in base64, newest first, separated by spaces. */
  sealed: string
}

export type ClaimedMail = ClaimedMessage & QueuedMail & { kind: 'mail' }

/** What an endpoint learns about an erasure that a holder asked for. */
export type ClaimedErasureEvent = ClaimedMessage & {
  kind: 'erasure'
  /** Without the time of the attempt. */
  payload: object
  /** The active secrets of the endpoint, as those of an alert. */
  sealed: string | null
}

/** The usage of a day for the operator's billing. */
export type ClaimedUsageDay = ClaimedMessage & { kind: 'usage'; verification_day: string; sealed: null }

export type QueuedMessage = ClaimedAlert | ClaimedMail | ClaimedUsageDay | ClaimedErasureEvent
export type QueuedEvent = ClaimedEvent | QueuedMessage
