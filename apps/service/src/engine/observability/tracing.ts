import type { Config, Secrets } from '../config/config.ts'
import type { Metrics } from './metrics.ts'
import { type Span, endWith } from './spans.ts'
import type { Tracer } from './tracing/tracer.ts'
import { hashForTrace, type Hashing } from './verification-hash.ts'

/**
 * The tracer of this process, if traces are on. What is traced asks here: without a tracer that is one comparison, and the SDK of
 * OpenTelemetry is not loaded. There is one for the whole process because what carries the active span through its asynchronous
 * calls, AsyncLocalStorage, belongs to the process too.
 */
export const tracing: { tracer: Tracer | undefined } = { tracer: undefined }

type TracingContext = {
  config: Config
  keyring: Hashing
  metrics: Pick<Metrics, 'spansDropped'>
}

/** Starts to export traces, if a collector is configured. A process has one tracer, which the first to open it closes. */
export async function openTracing(
  { config, keyring, metrics }: TracingContext,
  { OTEL_EXPORTER_OTLP_HEADERS: headers = {} }: Pick<Secrets, 'OTEL_EXPORTER_OTLP_HEADERS'>,
): Promise<AsyncDisposable> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === undefined || tracing.tracer !== undefined) return { async [Symbol.asyncDispose]() {} }
  const { Tracer } = await import('./tracing/tracer.ts')
  const tracer = new Tracer({
    config,
    collector: { url: `${endpoint.replace(/\/$/, '')}/v1/traces`, headers },
    hash: (bytes) => hashForTrace(keyring, bytes),
    onDropped: (reason, spans) => metrics.spansDropped.inc({ reason }, spans),
  })
  tracing.tracer = tracer
  return {
    async [Symbol.asyncDispose]() {
      tracing.tracer = undefined
      await tracer.close()
    },
  }
}

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
