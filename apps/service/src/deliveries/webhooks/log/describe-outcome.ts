import { deliveryErrors } from '@vidimus/contract'
import type { OutboundOutcome } from '../../../engine/egress/index.ts'

/** The outcome of an attempt as the log shows it: in our own words, never the receiver's (HOOK-7). */
export type DeliveryOutcome = {
  outcome: 'delivered' | 'failed' | 'refused' | 'timed_out'
  status: number | null
  duration_ms: number
  error: string | null
}

type FinishedRequest = Exclude<OutboundOutcome, { outcome: 'withdrawn' }>

export function describeOutcome(finished: FinishedRequest): DeliveryOutcome {
  const { duration_ms } = finished
  const status = finished.outcome === 'responded' ? finished.status : null
  // Only a 2xx is success (HOOK-6). Redirects are not followed, so a 3xx is a failure (HOOK-4).
  if (status !== null && status >= 200 && status < 300) {
    return { outcome: 'delivered', status, duration_ms, error: null }
  }
  const outcome = finished.outcome === 'responded' ? 'failed' : finished.outcome
  return { outcome, status, duration_ms, error: describeError(finished) }
}

function describeError(finished: FinishedRequest): string {
  switch (finished.outcome) {
    case 'responded':
      return `responded with status ${finished.status}`
    case 'timed_out':
      return deliveryErrors.timed_out
    case 'refused':
      return deliveryErrors[finished.reason]
    case 'failed':
      return `${deliveryErrors[finished.reason]} (${finished.code})`
  }
}
