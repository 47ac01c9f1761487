import { TraceFlags, type SpanContext } from '@opentelemetry/api'
import type { TraceIds } from './trace-ids.ts'
import type { Traceparent } from './traceparent.ts'

/** The first span of a trace. */
export function toSpanContext({ trace_id, root_id }: TraceIds): SpanContext {
  return { traceId: trace_id, spanId: root_id, traceFlags: TraceFlags.SAMPLED, isRemote: true }
}

/** The caller's span. */
export function callerContext({ trace_id, span_id, sampled }: Traceparent): SpanContext {
  const traceFlags = sampled ? TraceFlags.SAMPLED : TraceFlags.NONE
  return { traceId: trace_id, spanId: span_id, traceFlags, isRemote: true }
}
