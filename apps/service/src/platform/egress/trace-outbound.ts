import { type Span, type Tracer } from '../tracing/tracing.ts'
import type { OutboundPool } from './connection-pool.ts'
import { readTarget } from './read-target.ts'
import { request, type OutboundOutcome, type OutboundRequest } from './request.ts'

/** Makes a request in a span. Of the URL only the host is recorded: path and query may contain secrets. */
export async function traceOutbound(
  tracer: Tracer,
  pool: OutboundPool,
  outbound: OutboundRequest,
): Promise<OutboundOutcome> {
  const { method, url } = outbound
  const span = tracer.startSpan(method, {
    kind: 'client',
    attributes: { 'http.request.method': method, 'server.address': readTarget(url)?.host ?? 'invalid' },
  })
  if (span === undefined) return request(pool, outbound)
  try {
    const outcome = await tracer.within(span, () => request(pool, outbound))
    describeOutcome(tracer, span, outcome)
    return outcome
  } finally {
    span.end()
  }
}

function describeOutcome(tracer: Tracer, span: Span, outcome: OutboundOutcome): void {
  if (outcome.outcome === 'answered') span.setAttribute('http.response.status_code', outcome.status)
  const error =
    outcome.outcome === 'answered'
      ? outcome.status < 400
        ? undefined
        : String(outcome.status)
      : outcome.outcome
  if (error === undefined || error === 'withdrawn') return
  tracer.markFailed(span, error)
}
