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
      return 'no response within 10 seconds'
    case 'refused':
      return refusalTexts[finished.reason]
    case 'failed':
      return `${failureTexts[finished.reason]} (${finished.code})`
  }
}

const refusalTexts = {
  not_http: 'the URL is not http or https',
  port: 'the port is that of another protocol',
  not_public: 'the host is not a public address',
}
const failureTexts = {
  name: 'the host could not be resolved',
  connection: 'the connection failed',
  tls: 'the TLS handshake failed',
  http: 'the response was not HTTP',
}
