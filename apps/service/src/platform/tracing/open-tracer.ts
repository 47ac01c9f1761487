import { AsyncLocalStorage } from 'node:async_hooks'
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type SpanContext,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  RandomIdGenerator,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace'
import type { Keyring } from '../keyring/open.ts'
import { openCollectorAgent } from './collector-agent.ts'
import { nameStatement } from './name-statement.ts'
import { spanBounds } from './span-bounds.ts'
import { openSpanQueue, type DropReason } from './span-queue.ts'
import { idsOfSession, newIds, prepareSession, type TraceIds } from './trace-ids.ts'
import { readTraceparent, type Traceparent } from './traceparent.ts'
import { errorType, type RequestToTrace, type Span, type SpanOptions, type Tracer } from './tracing.ts'

export type TracerOptions = {
  /** Where the collector accepts traces. */
  url: string
  headers: Record<string, string>
  /** Of the service, for every span. */
  resource: Record<string, string>
  /** The share of traces that is sampled, by their id. `parentBased`: a caller whose trace is continued decides instead. */
  sampler: { ratio: number; parentBased: boolean }
  /** Whether the trace of a caller is continued, or only linked. */
  callers: 'parent' | 'link'
  max_spans: number
  delay_ms: number
  timeout_ms: number
  keyring: Pick<Keyring, 'mac'>
  onDropped: (reason: DropReason, spans: number) => void
}

/** What the current code belongs to. An unsampled request that creates a session has bytes and no span. */
type Scope = { span: Span | undefined; session_bytes?: Buffer | undefined }

export function openTracer(options: TracerOptions): Tracer & { close(): Promise<void> } {
  const { keyring, sampler } = options
  const collector = openCollectorAgent(options.url)
  const { url, headers, timeout_ms } = options
  const exporter = new OTLPTraceExporter({
    url,
    headers,
    timeoutMillis: timeout_ms,
    httpAgentOptions: () => collector.agent,
  })
  // The exporter ends an export itself, unless the collector sends its response byte by byte.
  const queue = openSpanQueue({ ...options, exporter, timeout_ms: timeout_ms * 2 })
  const ids = openIdGenerator()
  const provider = new TracerProvider({
    resource: resourceFromAttributes(options.resource),
    // What is not sampled does not get this far.
    sampler: new AlwaysOnSampler(),
    idGenerator: ids,
    spanProcessors: [queue.processor],
    spanLimits: {
      attributeCountLimit: spanBounds.attributes,
      attributeValueLengthLimit: spanBounds.attribute_characters,
      linkCountLimit: spanBounds.links,
    },
  })
  const spans = provider.getTracer('vidimus')
  const scopes = new AsyncLocalStorage<Scope>()
  const ratio = new TraceIdRatioBasedSampler(sampler.ratio)
  const isSampled = (trace_id: string) =>
    ratio.shouldSample(ROOT_CONTEXT, trace_id).decision === SamplingDecision.RECORD_AND_SAMPLED

  function active(): Span | undefined {
    const span = scopes.getStore()?.span
    return span?.isRecording() === true ? span : undefined
  }

  function startBelow(parent: SpanContext, name: string, spanOptions?: SpanOptions): Span {
    return spans.startSpan(name, toOptions(spanOptions), trace.setSpanContext(ROOT_CONTEXT, parent))
  }

  function startRoot(root: TraceIds, name: string, spanOptions?: SpanOptions): Span {
    return ids.startWith(root, () => spans.startSpan(name, toOptions(spanOptions), ROOT_CONTEXT))
  }

  function startSpan(name: string, spanOptions?: SpanOptions): Span | undefined {
    const parent = active()
    return parent && spans.startSpan(name, toOptions(spanOptions), trace.setSpan(ROOT_CONTEXT, parent))
  }

  function startInSession(session_id: string, name: string, spanOptions?: SpanOptions): Span | undefined {
    const session = idsOfSession(keyring, session_id)
    if (session === undefined || !isSampled(session.trace_id)) return undefined
    return startBelow(toSpanContext(session), name, spanOptions)
  }

  /** The caller's trace goes on, and the trace of the session, if there is one, is linked. */
  function continueCaller(request: RequestToTrace, caller: Traceparent): Span | undefined {
    if (!(sampler.parentBased ? caller.sampled : isSampled(caller.trace_id))) return undefined
    const session = request.session_id === undefined ? undefined : idsOfSession(keyring, request.session_id)
    const links =
      session === undefined || !isSampled(session.trace_id) ? [] : [{ context: toSpanContext(session) }]
    return startBelow(callerContext(caller), nameRequest(request), describeRequest(request, links))
  }

  /** The request belongs to the trace of its session, or begins one; the caller's is linked. A caller cannot cause sampling. */
  function startRequest(request: RequestToTrace, caller: Traceparent | undefined): Scope {
    const { session_id, createsSession } = request
    const session = session_id === undefined ? undefined : idsOfSession(keyring, session_id)
    const prepared = createsSession ? prepareSession(keyring) : undefined
    const { session_bytes } = prepared ?? {}
    const own = session ?? prepared ?? newIds()
    if (!isSampled(own.trace_id)) return { span: undefined, session_bytes }
    const spanOptions = describeRequest(
      request,
      caller === undefined ? [] : [{ context: callerContext(caller) }],
    )
    const name = nameRequest(request)
    const span =
      session === undefined
        ? startRoot(own, name, spanOptions)
        : startBelow(toSpanContext(own), name, spanOptions)
    return { span, session_bytes }
  }

  return {
    active,
    markFailed,
    startSpan,
    startInSession,
    within: (span, work) => scopes.run({ span }, work),
    startStatement(texts) {
      const parent = active()
      if (parent === undefined) return undefined
      const name = nameStatement(texts)
      const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name }
      return startSpan(`sql ${name}`, { kind: 'client', attributes })
    },
    traceRequest(request, next) {
      const caller = readTraceparent(request.traceparent)
      const scope =
        caller !== undefined && options.callers === 'parent'
          ? { span: continueCaller(request, caller) }
          : startRequest(request, caller)
      if (scope.span === undefined && scope.session_bytes === undefined) next()
      else scopes.run(scope, next)
      return scope.span
    },
    takeSessionBytes() {
      const scope = scopes.getStore()
      const bytes = scope?.session_bytes
      if (scope !== undefined) scope.session_bytes = undefined
      return bytes
    },
    beginSession(session_id) {
      const session = idsOfSession(keyring, session_id)
      const creator = active()
      if (session === undefined || !isSampled(session.trace_id)) return
      if (creator?.spanContext().traceId === session.trace_id) return
      const links = creator === undefined ? [] : [{ context: creator.spanContext() }]
      startRoot(session, 'verification', { links }).end()
      creator?.addLink({ context: toSpanContext(session) })
    },
    async traceRound(loop, work) {
      const round = newIds()
      if (!isSampled(round.trace_id)) return work()
      const span = startRoot(round, `loop ${loop}`)
      queue.hold(round.trace_id)
      let didSomething = true
      try {
        const result = await scopes.run({ span }, work)
        didSomething = result === true || (typeof result === 'number' && result > 0)
        return result
      } catch (error) {
        markFailed(span, errorType(error))
        throw error
      } finally {
        span.end()
        queue.release(round.trace_id, (ended) => didSomething || ended.some(isOutbound))
      }
    },
    async close() {
      const timer = Promise.withResolvers<void>()
      const timeout = setTimeout(timer.resolve, spanBounds.flush_ms)
      // A batch that fails is counted by the queue.
      await Promise.race([provider.shutdown().catch(() => {}), timer.promise])
      clearTimeout(timeout)
      if (queue.size() > 0) options.onDropped('shutdown', queue.size())
      collector.close()
    },
  }
}

/** Random ids, except for the first span of a trace whose ids are given. */
function openIdGenerator() {
  const random = new RandomIdGenerator()
  let given: TraceIds | undefined
  return {
    generateTraceId: () => given?.trace_id ?? random.generateTraceId(),
    generateSpanId: () => given?.root_id ?? random.generateSpanId(),
    startWith(ids: TraceIds, start: () => Span): Span {
      given = ids
      try {
        return start()
      } finally {
        given = undefined
      }
    },
  }
}

const kinds = { client: SpanKind.CLIENT, server: SpanKind.SERVER }

function toOptions({ kind, ...options }: SpanOptions = {}) {
  return kind === undefined ? options : { ...options, kind: kinds[kind] }
}

function markFailed(span: Span, reason: string): void {
  span.setAttribute('error.type', reason)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

function toSpanContext({ trace_id, root_id }: TraceIds): SpanContext {
  return { traceId: trace_id, spanId: root_id, traceFlags: TraceFlags.SAMPLED, isRemote: true }
}

function callerContext({ trace_id, span_id, sampled }: Traceparent): SpanContext {
  const traceFlags = sampled ? TraceFlags.SAMPLED : TraceFlags.NONE
  return { traceId: trace_id, spanId: span_id, traceFlags, isRemote: true }
}

function nameRequest({ method, route }: RequestToTrace): string {
  return route === undefined ? method : `${method} ${route}`
}

function describeRequest(
  { method, route, request_id }: RequestToTrace,
  links: { context: SpanContext }[],
): SpanOptions {
  const attributes = {
    'http.request.method': method,
    ...(route !== undefined && { 'http.route': route }),
    'vidimus.request_id': request_id,
  }
  return { kind: 'server', attributes, links }
}

function isOutbound({ attributes, kind }: ReadableSpan): boolean {
  return kind === SpanKind.CLIENT && 'server.address' in attributes
}
