import type { Environment } from '@vidimus/contract'

/** The outcome of a session, to be delivered to a receiver. A session has one event. */
export type WebhookEvent = {
  session_id: string
  session_day: string
  tenant_id: string
  environment: Environment
  url: string
  /** Whether the result is deleted once it is delivered (RET-3). */
  forget_on_delivery: boolean
}

/** URLs are checked when a verification is created; one that no longer parses is refused when it is delivered. */
export function hostFromUrl(url: string): string {
  return URL.parse(url)?.host ?? ''
}

/** An event claimed by one sender until its lease expires. `attempt` counts from 1; `failures` selects the retry delay. */
export type ClaimedEvent = WebhookEvent & { host: string; lease: string; attempt: number; failures: number }
