import type { OutboundOutcome } from '../../platform/egress/request.ts'

/** What became of an attempt, as the log shows it: in our own words, never the receiver's (HOOK-7). */
export type DeliveryOutcome = {
  outcome: 'delivered' | 'failed' | 'refused' | 'timed_out'
  status: number | null
  duration_ms: number
  error: string | null
}

type FinishedRequest = Exclude<OutboundOutcome, { outcome: 'withdrawn' }>

export function describeOutcome(ended: FinishedRequest): DeliveryOutcome {
  const { duration_ms } = ended
  const status = ended.outcome === 'answered' ? ended.status : null
  // A 2xx is success (HOOK-6). Redirects are not followed, so a 3xx is none (HOOK-4).
  if (status !== null && status >= 200 && status < 300) {
    return { outcome: 'delivered', status, duration_ms, error: null }
  }
  const outcome = ended.outcome === 'answered' ? 'failed' : ended.outcome
  return { outcome, status, duration_ms, error: describeError(ended) }
}

function describeError(ended: FinishedRequest): string {
  switch (ended.outcome) {
    case 'answered':
      return `answered with status ${ended.status}`
    case 'timed_out':
      return 'no answer within 10 seconds'
    case 'refused':
      return ended.reason === 'not_http' ? 'not an http or https address' : 'the host is not a public address'
    case 'failed':
      return `${failureTexts[ended.reason]} (${ended.code})`
  }
}

const failureTexts = {
  name: 'the host could not be resolved',
  connection: 'the connection failed',
  tls: 'the TLS handshake failed',
  http: 'the answer was not HTTP',
}
