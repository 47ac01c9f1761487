/**
 * The events of a verification (HOOK-1). Schemas, reference, SDK and the choices of the dashboard follow from this list; a missing
 * text does not compile. This file imports nothing, so that pages can use it without loading the schemas.
 */
export const webhookEvents = {
  'verification.completed': { summary: 'A verification was completed', to_webhook_url: true },
  'verification.failed': { summary: 'A verification failed', to_webhook_url: true },
  'verification.expired': {
    summary: 'A verification expired without a result',
    to_webhook_url: false,
    sent: 'usually within a minute of the expiry',
  },
  'verification.cancelled': { summary: 'A verification was cancelled', to_webhook_url: false },
  'erasure.requested': {
    summary: 'A holder asks for an erasure, and you decide',
    to_webhook_url: false,
    sent: 'once for each request',
  },
  'erasure.executed': {
    summary: 'What a holder asked to erase is erased',
    to_webhook_url: false,
    sent: 'so that you erase your copies',
  },
} as const satisfies Record<`${'verification' | 'erasure'}.${string}`, WebhookEvent>

export type WebhookEvent = {
  summary: string
  /** Whether the verification's own URL gets it. Endpoints get what they ask for; a new one on the dashboard, what that URL gets. */
  to_webhook_url: boolean
  /** When it is sent, if not at once. */
  sent?: string
}

export type WebhookEventType = keyof typeof webhookEvents
/** Those with the verification itself. Those about an erasure have only its id. */
export type VerificationEventType = Extract<WebhookEventType, `verification.${string}`>
export type ErasureEventType = Exclude<WebhookEventType, VerificationEventType>
// Object.keys of a constant object.
export const webhookEventTypes = Object.keys(webhookEvents) as readonly WebhookEventType[]
export const verificationEventTypes = webhookEventTypes.filter(isVerificationEvent)
export const webhookUrlEvents = webhookEventTypes.filter((type) => webhookEvents[type].to_webhook_url)

export function isVerificationEvent(type: WebhookEventType): type is VerificationEventType {
  return type.startsWith('verification.')
}
