import { ROOT_CONTEXT, SpanKind, trace, type SpanContext } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { AlwaysOnSampler, RandomIdGenerator, TracerProvider } from '@opentelemetry/sdk-trace'
import { openCollectorAgent } from './collector-agent.ts'
import { spanBounds } from './span-bounds.ts'
import { openSpanQueue, type DropReason, type SpanQueue } from './span-queue.ts'
import type { TraceIds } from './trace-ids.ts'
import type { Span, SpanOptions } from './tracing.ts'

export type ExportOptions = {
  /** Where the collector accepts traces. */
  url: string
  headers: Record<string, string>
  /** Of the service, for every span. */
  resource: Record<string, string>
  max_spans: number
  delay_ms: number
  timeout_ms: number
  onDropped: (reason: DropReason, spans: number) => void
}

/** Starts spans, and exports them when they have ended. */
export type SpanSource = Pick<SpanQueue, 'hold' | 'release'> & {
  /** Starts the first span of a trace, with the ids that the trace must have. */
  startRoot(ids: TraceIds, name: string, options?: SpanOptions): Span
  startBelow(parent: SpanContext, name: string, options?: SpanOptions): Span
  /** Exports what waits, within `spanBounds.flush_ms`, and drops the rest. */
  close(): Promise<void>
}

export function openSpanSource(options: ExportOptions): SpanSource {
  const collector = openCollectorAgent(options.url)
  const queue = openExportQueue(options, collector.agent)
  const ids = openIdGenerator()
  const provider = openProvider(options, queue, ids)
  const spans = provider.getTracer('vidimus')
  return {
    hold: (trace_id) => queue.hold(trace_id),
    release: (trace_id, isWanted) => queue.release(trace_id, isWanted),
    startRoot: (root, name, spanOptions) =>
      ids.startWith(root, () => spans.startSpan(name, toOptions(spanOptions), ROOT_CONTEXT)),
    startBelow: (parent, name, spanOptions) =>
      spans.startSpan(name, toOptions(spanOptions), trace.setSpanContext(ROOT_CONTEXT, parent)),
    async close() {
      await flush(provider)
      if (queue.size() > 0) options.onDropped('shutdown', queue.size())
      collector.close()
    },
  }
}

type CollectorAgent = ReturnType<typeof openCollectorAgent>['agent']

function openExportQueue(options: ExportOptions, agent: CollectorAgent): SpanQueue {
  const { url, headers, timeout_ms } = options
  const exporter = new OTLPTraceExporter({
    url,
    headers,
    timeoutMillis: timeout_ms,
    httpAgentOptions: () => agent,
  })
  // The exporter ends an export itself, unless the collector sends its response byte by byte.
  return openSpanQueue({ ...options, exporter, timeout_ms: timeout_ms * 2 })
}

type IdGenerator = ReturnType<typeof openIdGenerator>

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

function openProvider({ resource }: ExportOptions, queue: SpanQueue, ids: IdGenerator): TracerProvider {
  return new TracerProvider({
    resource: resourceFromAttributes(resource),
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
}

const kinds = { client: SpanKind.CLIENT, server: SpanKind.SERVER }

function toOptions({ kind, ...options }: SpanOptions = {}) {
  return kind === undefined ? options : { ...options, kind: kinds[kind] }
}

async function flush(provider: TracerProvider): Promise<void> {
  const timer = Promise.withResolvers<void>()
  const timeout = setTimeout(timer.resolve, spanBounds.flush_ms)
  // A batch that fails is counted by the queue.
  await Promise.race([provider.shutdown().catch(() => {}), timer.promise])
  clearTimeout(timeout)
}
