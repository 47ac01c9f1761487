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
} as const satisfies Record<`verification.${string}`, WebhookEvent>

export type WebhookEvent = {
  summary: string
  /** Whether the verification's own URL gets it. Endpoints get what they ask for; a new one on the dashboard, what that URL gets. */
  to_webhook_url: boolean
  /** When it is sent, if not at once. */
  sent?: string
}

export type WebhookEventType = keyof typeof webhookEvents
// Object.keys of a constant object.
export const webhookEventTypes = Object.keys(webhookEvents) as readonly WebhookEventType[]
export const webhookUrlEvents = webhookEventTypes.filter((type) => webhookEvents[type].to_webhook_url)
