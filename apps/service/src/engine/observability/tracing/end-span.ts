import { SpanStatusCode, type Span } from '@opentelemetry/api'

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
