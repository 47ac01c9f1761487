import { SpanStatusCode } from '@opentelemetry/api'
import type { Span } from './tracing.ts'

/** Marks a span as failed, for a reason from a fixed list. */
export function markFailed(span: Span, reason: string): void {
  span.setAttribute('error.type', reason)
  span.setStatus({ code: SpanStatusCode.ERROR })
}
