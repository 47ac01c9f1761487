import { endWith, markFailed } from '../observability/tracing/end-span.ts'
import { SpanKind, tracing, within } from '../observability/tracing/tracing.ts'
import type { OutboundPool } from './connection-pool.ts'
import { readTarget } from './read-target.ts'
import { request, type OutboundOutcome, type OutboundRequest } from './request.ts'

/** Makes a request, in a span if it is traced. Of the URL only the host is recorded: path and query may contain secrets. */
export function traceOutbound(pool: OutboundPool, outbound: OutboundRequest): Promise<OutboundOutcome> {
  const { method, url } = outbound
  const span = tracing.tracer?.startSpan(method, {
    kind: SpanKind.CLIENT,
    attributes: { 'http.request.method': method, 'server.address': readTarget(url)?.host ?? 'invalid' },
  })
  if (span === undefined) return request(pool, outbound)
  const work = async () => {
    const result = await request(pool, outbound)
    const status = result.outcome === 'answered' ? result.status : undefined
    if (status !== undefined) span.setAttribute('http.response.status_code', status)
    const failure = status === undefined ? result.outcome : status >= 400 && String(status)
    if (failure !== false && failure !== 'withdrawn') markFailed(span, failure)
    return result
  }
  return endWith(span, within(span, work))
}
