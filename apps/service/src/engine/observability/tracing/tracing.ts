import { SpanKind, type Span } from '@opentelemetry/api'
import { endWith } from './end-span.ts'
import type { Tracer } from './tracer.ts'

export { SpanKind, type Span }

/**
 * The tracer of this process, if traces are on. What is traced asks here: without a tracer that is one comparison, and the SDK of
 * OpenTelemetry is not loaded. There is one for the whole process because what carries the active span through its asynchronous
 * calls, AsyncLocalStorage, belongs to the process too.
 */
export const tracing: { tracer: Tracer | undefined } = { tracer: undefined }

/** Runs `work` in a span, or in none. */
export function within<Result>(span: Span | undefined, work: () => Result): Result {
  return tracing.tracer === undefined ? work() : tracing.tracer.within(span, work)
}

/** Does work in a span below the active one, if there is one. */
export function traced<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const span = tracing.tracer?.startSpan(name)
  return span === undefined ? work() : endWith(span, within(span, work))
}

/** Runs a round of a background loop in a trace of its own, which is exported only if the round did something. */
export function traceRound<Result>(loop: string, work: () => Promise<Result>): Promise<Result> {
  return tracing.tracer === undefined ? work() : tracing.tracer.traceRound(loop, work)
}

/** Does the work of several callers at once, whose traces are linked to each other. */
export function runShared<Result>(
  callers: readonly { span: Span | undefined }[],
  work: () => Promise<Result>,
): Promise<Result> {
  return tracing.tracer === undefined ? work() : tracing.tracer.runShared(callers, work)
}
