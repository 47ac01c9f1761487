import { AsyncLocalStorage } from 'node:async_hooks'
import { ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api'
import type { Attributes, Span, SpanContext, SpanOptions, Tracer as SpanSource } from '@opentelemetry/api'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  RandomIdGenerator,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Config } from '../../config/config.ts'
import { endWith, readTraceparent } from '../spans.ts'
import { contextOfVerification, newContext, prepareVerification, type KeyedHash } from './span-contexts.ts'
import { openSpanQueue, spanBounds, type ExportOptions, type SpanQueue } from './span-queue.ts'

export type RequestToTrace = {
  name: string
  attributes: Attributes
  traceparent: string | string[] | undefined
  verification_id: string | undefined
  createsVerification: boolean
}

/** What the current code belongs to. An unsampled request that creates a verification has bytes and no span. */
type Scope = { span: Span | undefined; verification_bytes?: Buffer | undefined }

/** Starts spans, and exports them when they have ended. This module loads the SDK of OpenTelemetry. */
export class Tracer {
  private readonly config: Config
  private readonly hash: KeyedHash
  private readonly scopes = new AsyncLocalStorage<Scope>()
  private readonly sampler: TraceIdRatioBasedSampler
  private readonly queue: SpanQueue
  private readonly source: SpanSource
  /** The ids of the first span of a trace, while it is being started. */
  private first: SpanContext | undefined

  constructor({ hash, ...options }: ExportOptions & { hash: KeyedHash }) {
    const { config } = options
    this.config = config
    this.hash = hash
    this.sampler = new TraceIdRatioBasedSampler(readRatio(config))
    this.queue = openSpanQueue(options)
    const random = new RandomIdGenerator()
    const provider = new TracerProvider({
      resource: resourceFromAttributes({
        'service.name': config.OTEL_SERVICE_NAME,
        'vidimus.cell': config.CELL,
        ...config.OTEL_RESOURCE_ATTRIBUTES,
      }),
      // What is not sampled does not get this far.
      sampler: new AlwaysOnSampler(),
      idGenerator: {
        generateTraceId: () => this.first?.traceId ?? random.generateTraceId(),
        generateSpanId: () => this.first?.spanId ?? random.generateSpanId(),
      },
      spanProcessors: [this.queue.processor],
      spanLimits: {
        attributeCountLimit: spanBounds.attributes,
        attributeValueLengthLimit: spanBounds.attribute_characters,
        linkCountLimit: spanBounds.links,
      },
    })
    this.source = provider.getTracer('vidimus')
  }

  /** The span that the current code runs in, if it is recorded and has not ended. */
  active(): Span | undefined {
    const span = this.scopes.getStore()?.span
    return span?.isRecording() === true ? span : undefined
  }

  /** Runs `work` in a span, or in none. */
  within<Result>(span: Span | undefined, work: () => Result): Result {
    return this.scopes.run({ span }, work)
  }

  /** Starts a span below the active one or another. Undefined if there is none, or it has ended. */
  startSpan(name: string, options?: SpanOptions, parent = this.active()): Span | undefined {
    return parent?.isRecording() === true ? this.startBelow(parent.spanContext(), name, options) : undefined
  }

  /** The same for an SQL statement. */
  startStatement(name: string): Span | undefined {
    const parent = this.active()
    if (parent === undefined) return undefined
    const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name }
    return this.startBelow(parent.spanContext(), `sql ${name}`, { kind: SpanKind.CLIENT, attributes })
  }

  /** Starts the span of a request, if it is sampled, and continues in it. */
  traceRequest(request: RequestToTrace, next: () => void): Span | undefined {
    const caller = readTraceparent(request.traceparent)
    const scope =
      caller !== undefined && this.config.TRACE_CALLERS === 'parent'
        ? this.continueCaller(request, caller)
        : this.startRequest(request, caller)
    if (scope.span === undefined && scope.verification_bytes === undefined) next()
    else this.scopes.run(scope, next)
    return scope.span
  }

  /** The caller's trace goes on, and the trace of the verification, if there is one, is linked. */
  private continueCaller({ verification_id, name, attributes }: RequestToTrace, caller: SpanContext): Scope {
    const callerDecides = this.config.OTEL_TRACES_SAMPLER.startsWith('parentbased_')
    const isSampled = callerDecides ? caller.traceFlags > 0 : this.isSampled(caller)
    if (!isSampled) return { span: undefined }
    const links = toLinks(this.sampledVerification(verification_id))
    return { span: this.startBelow(caller, name, { kind: SpanKind.SERVER, attributes, links }) }
  }

  /** The request belongs to the trace of its verification, or begins one; the caller's is linked. A caller cannot cause sampling. */
  private startRequest(request: RequestToTrace, caller: SpanContext | undefined): Scope {
    const { verification_id, createsVerification, name, attributes } = request
    const verification = contextOfVerification(this.hash, verification_id)
    const prepared = createsVerification ? prepareVerification(this.hash) : undefined
    const { verification_bytes } = prepared ?? {}
    const context = verification ?? prepared?.context ?? newContext()
    if (!this.isSampled(context)) return { span: undefined, verification_bytes }
    const options = { kind: SpanKind.SERVER, attributes, links: toLinks(caller) }
    const isFirst = verification === undefined
    const span = isFirst ? this.startFirst(context, name, options) : this.startBelow(context, name, options)
    return { span, verification_bytes }
  }

  /** The random bytes that the id of a verification created by this request must have, so that its trace is this one. */
  takeVerificationBytes(): Buffer | undefined {
    const scope = this.scopes.getStore()
    const bytes = scope?.verification_bytes
    if (scope !== undefined) scope.verification_bytes = undefined
    return bytes
  }

  /** Begins the trace of a verification that was created by a request of another trace. */
  beginVerification(verification_id: string): void {
    const verification = this.sampledVerification(verification_id)
    const creator = this.active()
    if (verification === undefined || creator?.spanContext().traceId === verification.traceId) return
    this.startFirst(verification, 'verification', { links: toLinks(creator?.spanContext()) }).end()
    creator?.addLink({ context: verification })
  }

  /** Starts a span in the trace of a verification, below its creation. Undefined if the verification is not sampled. */
  startInVerification(verification_id: string, name: string, options: SpanOptions): Span | undefined {
    const verification = this.sampledVerification(verification_id)
    return verification && this.startBelow(verification, name, options)
  }

  /** Runs a round of a background loop in a span of its own. It is exported if the round did something, failed, or made a request. */
  async traceRound<Result>(loop: string, work: () => Promise<Result>): Promise<Result> {
    const context = newContext()
    if (!this.isSampled(context)) return work()
    const release = this.queue.holdRound(context.traceId)
    const span = this.startFirst(context, `loop ${loop}`)
    let didSomething = true
    try {
      const result = await endWith(span, this.within(span, work))
      didSomething = result === true || (typeof result === 'number' && result > 0)
      return result
    } finally {
      release(didSomething)
    }
  }

  /**
   * Does the work of several callers at once: in a span below the first caller that is traced, linked to the others, each of which
   * gets a span in its own trace that links back.
   */
  async runShared<Result>(
    callers: readonly { span: Span | undefined }[],
    work: () => Promise<Result>,
  ): Promise<Result> {
    const [first, ...others] = callers
      .flatMap(({ span }) => (span?.isRecording() === true ? span.spanContext() : []))
      .slice(0, spanBounds.links + 1)
    if (first === undefined || callers.length === 1) return this.within(callers[0]?.span, work)
    const attributes = { 'vidimus.batch.calls': callers.length }
    const shared = this.startBelow(first, 'batch', { attributes, links: others.flatMap(toLinks) })
    const links = toLinks(shared.spanContext())
    const waiting = others.map((caller) => this.startBelow(caller, 'batch in another trace', { links }))
    try {
      return await this.within(shared, work)
    } finally {
      for (const span of [shared, ...waiting]) span.end()
    }
  }

  /** Exports the last spans. */
  close(): Promise<void> {
    return this.queue.close()
  }

  /** Whether a trace is sampled. It depends on the id alone, so that every process comes to the same decision. */
  private isSampled({ traceId }: SpanContext): boolean {
    const { decision } = this.sampler.shouldSample(ROOT_CONTEXT, traceId)
    return decision === SamplingDecision.RECORD_AND_SAMPLED
  }

  private sampledVerification(verification_id: string | undefined): SpanContext | undefined {
    const verification = contextOfVerification(this.hash, verification_id)
    return verification !== undefined && this.isSampled(verification) ? verification : undefined
  }

  /** Starts the first span of a trace, with the ids that the trace must have. */
  private startFirst(ids: SpanContext, name: string, options?: SpanOptions): Span {
    this.first = ids
    const span = this.source.startSpan(name, options, ROOT_CONTEXT)
    this.first = undefined
    return span
  }

  private startBelow(parent: SpanContext, name: string, options?: SpanOptions): Span {
    return this.source.startSpan(name, options, trace.setSpanContext(ROOT_CONTEXT, parent))
  }
}

function readRatio({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: Config): number {
  if (name.endsWith('traceidratio')) return ratio
  return name.endsWith('always_on') ? 1 : 0
}

function toLinks(context: SpanContext | undefined): { context: SpanContext }[] {
  return context === undefined ? [] : [{ context }]
}
