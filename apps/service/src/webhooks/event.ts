import type { Environment } from '@vidimus/contract'

/** What became of one session, of which a receiver is to be told. A session has one event. */
export type WebhookEvent = {
  session_id: string
  session_day: string
  tenant_id: string
  environment: Environment
  url: string
  /** Whether its result is kept no longer than it takes to deliver it (RET-3). */
  forget_on_delivery: boolean
}

/** Whom an event goes to. An address was checked at creation; one that cannot be read now is refused at delivery. */
export function hostFromUrl(url: string): string {
  return URL.parse(url)?.host ?? ''
}

/** An event in the hands of one sender, until its lease ends. `attempt` counts from 1; `failures` is for the schedule. */
export type ClaimedEvent = WebhookEvent & { host: string; lease: string; attempt: number; failures: number }
