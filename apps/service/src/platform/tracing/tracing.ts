import type { Attributes, Link, Span } from '@opentelemetry/api'
import { spanBounds } from './span-bounds.ts'

export type { Span }

/**
 * The tracer of this process, if traces are on. What is traced asks here: without a tracer that is one comparison, nothing is
 * allocated, and the SDK of OpenTelemetry is not loaded. There is one for the whole process because what carries the active span
 * through its asynchronous calls, AsyncLocalStorage, belongs to the process too.
 */
export const tracing: { tracer: Tracer | undefined } = { tracer: undefined }

export type SpanOptions = {
  kind?: 'client' | 'server'
  attributes?: Attributes
  links?: Link[]
  /** Milliseconds since 1970. Now by default. */
  startTime?: number
}

/** What a request is traced by. Never its URL, whose ids are capabilities. */
export type RequestToTrace = {
  method: string
  /** The route pattern, or undefined if no route matched. */
  route: string | undefined
  request_id: string
  traceparent: string | undefined
  session_id: string | undefined
  createsSession: boolean
}

export type Tracer = {
  /** The span that the current code runs in, if it is recorded and has not ended. */
  active(): Span | undefined
  /** Runs `work` in a span, or in none. */
  within<Result>(span: Span | undefined, work: () => Result): Result
  /** Starts a span below the active one. Undefined if there is none. */
  startSpan(name: string, options?: SpanOptions): Span | undefined
  /** The same for an SQL statement, named by the function that sends it: call this directly from `query`. */
  startStatement(texts: readonly string[]): Span | undefined
  /** Starts the span of a request, if it is sampled, and continues in it. */
  traceRequest(request: RequestToTrace, next: () => void): Span | undefined
  /** Starts a span in the trace of a session, below its creation. Undefined if the session is not sampled. */
  startInSession(session_id: string, name: string, options?: SpanOptions): Span | undefined
  /** The random bytes that the id of a session created by this request must have, so that its trace is this one. */
  takeSessionBytes(): Buffer | undefined
  /** Begins the trace of a session that was created by a request of another trace. */
  beginSession(session_id: string): void
  /** Marks a span as failed, for a reason from a fixed list. */
  markFailed(span: Span, reason: string): void
  /** Runs a round of a background loop in a span of its own, which is exported only if the round did something. */
  traceRound<Result>(loop: string, work: () => Promise<Result>): Promise<Result>
}

/** Ends a span with the outcome of a promise. Without a span, it is the promise itself. */
export function endWith<Result>(span: Span | undefined, promise: Promise<Result>): Promise<Result> {
  return span === undefined ? promise : awaitEnd(span, promise)
}

/** Does work in a span below the active one, if there is one. */
export function traced<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const { tracer } = tracing
  const span = tracer?.startSpan(name)
  return tracer === undefined || span === undefined ? work() : endWith(span, tracer.within(span, work))
}

/** Runs a round of a background loop in a trace of its own, which is exported only if the round did something. */
export function traceRound<Result>(loop: string, work: () => Promise<Result>): Promise<Result> {
  return tracing.tracer === undefined ? work() : tracing.tracer.traceRound(loop, work)
}

async function awaitEnd<Result>(span: Span, promise: Promise<Result>): Promise<Result> {
  try {
    return await promise
  } catch (error) {
    tracing.tracer?.markFailed(span, errorType(error))
    throw error
  } finally {
    span.end()
  }
}

/**
 * Does the work of several callers at once: in a span below the first caller that is traced, linked to the others, each of which
 * gets a span in its own trace that links back.
 */
export async function runShared<Result>(
  tracer: Tracer,
  callers: readonly (Span | undefined)[],
  work: () => Promise<Result>,
): Promise<Result> {
  const [first, ...others] = callers.filter((span) => span?.isRecording() === true)
  if (first === undefined || callers.length === 1) return tracer.within(first, work)
  const linked = others.slice(0, spanBounds.links).filter((span) => span !== undefined)
  const shared = tracer.within(first, () =>
    tracer.startSpan('batch', {
      attributes: { 'vidimus.batch.calls': callers.length },
      links: linked.map((span) => ({ context: span.spanContext() })),
    }),
  )
  const links = shared === undefined ? [] : [{ context: shared.spanContext() }]
  const waiting = linked.map((span) =>
    tracer.within(span, () => tracer.startSpan('batch in another trace', { links })),
  )
  try {
    return await tracer.within(shared, work)
  } finally {
    for (const span of [shared, ...waiting]) span?.end()
  }
}

/** Names an error by its code or class. Its message may quote what a caller sent. */
export function errorType(error: unknown): string {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return code ?? (error instanceof Error ? error.name : 'unknown')
}
