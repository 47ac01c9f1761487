import { createNoopMeter, SpanKind, type Meter } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BatchSpanProcessor, type ReadableSpan, type SpanProcessor } from '@opentelemetry/sdk-trace'
import type { Config } from '../../config/config.ts'

export const spanBounds = {
  /** Spans of a background round, which wait for its end. */
  round: 256,
  links: 32,
  attributes: 16,
  attribute_characters: 200,
  /** How long the last spans may take when the process stops. */
  flush_ms: 1000,
}

export type ExportOptions = {
  config: Config
  collector: { url: string; headers: Record<string, string> }
  onDropped: (reason: 'queue_full' | 'round_full' | 'export_failed' | 'shutdown', spans: number) => void
}

export type SpanQueue = {
  processor: SpanProcessor
  /** Keeps the spans of a background round back, until its result decides whether they are exported. */
  holdRound(trace_id: string): (didSomething: boolean) => void
  /** Exports what waits, within `spanBounds.flush_ms`, and drops the rest. */
  close(): Promise<void>
}

/** Exports finished spans in batches. It is bounded, and reports what it drops. */
export function openSpanQueue({ config, collector, onDropped }: ExportOptions): SpanQueue {
  const timeoutMillis = config.OTEL_EXPORTER_OTLP_TIMEOUT
  const rounds = new Map<string, ReadableSpan[]>()
  let waiting = 0
  const batches = new BatchSpanProcessor({
    exporter: new OTLPTraceExporter({ ...collector, timeoutMillis }),
    maxQueueSize: config.OTEL_BSP_MAX_QUEUE_SIZE,
    scheduledDelayMillis: config.OTEL_BSP_SCHEDULE_DELAY,
    // The exporter ends an export itself, unless the collector sends its response byte by byte.
    exportTimeoutMillis: timeoutMillis * 2,
    selfObsMeterProvider: { getMeter: () => meterOf(onProcessed) },
  })

  function onProcessed(spans: number, error: unknown): void {
    waiting -= spans
    if (error !== undefined) onDropped('export_failed', spans)
  }

  function add(span: ReadableSpan): void {
    // The processor would not count those that are being exported.
    if (waiting >= config.OTEL_BSP_MAX_QUEUE_SIZE) return onDropped('queue_full', 1)
    waiting += 1
    batches.onEnd(span)
  }

  function onEnd(span: ReadableSpan): void {
    const round = rounds.get(span.spanContext().traceId)
    if (round === undefined) add(span)
    else if (round.length < spanBounds.round) round.push(span)
    else onDropped('round_full', 1)
  }

  return {
    processor: { onStart() {}, onEnd, forceFlush: async () => {}, shutdown: async () => {} },
    holdRound(trace_id) {
      const spans: ReadableSpan[] = []
      rounds.set(trace_id, spans)
      return (didSomething) => {
        rounds.delete(trace_id)
        if (didSomething || spans.some(isOutbound)) for (const span of spans) add(span)
      }
    },
    async close() {
      const timeout = Promise.withResolvers<void>()
      const timer = setTimeout(timeout.resolve, spanBounds.flush_ms)
      // A batch that fails is counted.
      await Promise.race([batches.shutdown().catch(() => {}), timeout.promise])
      clearTimeout(timer)
      if (waiting > 0) onDropped('shutdown', waiting)
    },
  }
}

/** A meter for the processor's own metrics. Their one counter is of the spans whose export succeeded or, with an error, failed. */
function meterOf(onProcessed: (spans: number, error: unknown) => void): Meter {
  const counter: Pick<Meter, 'createCounter'> = {
    createCounter: () => ({ add: (spans, attributes) => onProcessed(spans, attributes?.['error.type']) }),
  }
  return Object.setPrototypeOf(counter, createNoopMeter())
}

function isOutbound({ attributes, kind }: ReadableSpan): boolean {
  return kind === SpanKind.CLIENT && 'server.address' in attributes
}
