import { type Span, type SpanContext, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api'

export { SpanKind, type Span }

/** Finished spans that wait to be exported, unless `OTEL_BSP_MAX_QUEUE_SIZE` says otherwise. */
export const defaultMaxSpans = 2048

/** Ends a span with the outcome of a promise. Without a span, it is the promise itself. */
export function endWith<Result>(span: Span | undefined, promise: Promise<Result>): Promise<Result> {
  return span === undefined ? promise : awaitEnd(span, promise)
}

async function awaitEnd<Result>(span: Span, promise: Promise<Result>): Promise<Result> {
  try {
    return await promise
  } catch (error) {
    markFailed(span, nameError(error))
    throw error
  } finally {
    span.end()
  }
}

/** Marks a span as failed, for a reason from a fixed list. */
export function markFailed(span: Span, reason: string): void {
  span.setAttribute('error.type', reason)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** The code or class of an error. Its message may quote what a caller sent. */
function nameError(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

const traceparent = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

/** Reads a `traceparent` header (W3C Trace Context, version 00). Undefined if it is absent or invalid. */
export function readTraceparent(header: string | string[] | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags = ''] = (typeof header === 'string' && traceparent.exec(header)) || []
  if (traceId === undefined || spanId === undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true }
}

export function writeTraceparent({ traceId, spanId }: SpanContext): string {
  return `00-${traceId}-${spanId}-01`
}
