import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace'
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace'
import { spanBounds } from './span-bounds.ts'

/** Why spans were not exported. */
export type DropReason = 'queue_full' | 'round_full' | 'export_failed' | 'shutdown'

export type SpanQueueOptions = {
  exporter: SpanExporter
  max_spans: number
  delay_ms: number
  /** For one export with its repetitions, in case that the exporter does not end it. */
  timeout_ms: number
  onDropped: (reason: DropReason, spans: number) => void
}

export type SpanQueue = {
  processor: SpanProcessor
  /** Keeps the spans of a trace back until `release`. */
  hold(trace_id: string): void
  /** Exports the spans of a trace that were kept back if `isWanted` returns true, and forgets them otherwise. */
  release(trace_id: string, isWanted: (spans: readonly ReadableSpan[]) => boolean): void
  /** How many spans wait or are being exported. */
  size(): number
}

/** Gathers finished spans in batches. It is bounded, and counts what it drops, which the library's own queue does not report. */
export function openSpanQueue(options: SpanQueueOptions): SpanQueue {
  const { exporter, max_spans, delay_ms, timeout_ms, onDropped } = options
  const held = new Map<string, ReadableSpan[]>()
  let size = 0
  const batches = new BatchSpanProcessor({
    exporter: countExports(exporter, timeout_ms, (spans, isExported) => {
      size -= spans
      if (!isExported) onDropped('export_failed', spans)
    }),
    maxQueueSize: max_spans,
    maxExportBatchSize: Math.min(spanBounds.batch, max_spans),
    scheduledDelayMillis: delay_ms,
    exportTimeoutMillis: timeout_ms,
  })

  function add(span: ReadableSpan): void {
    if (size >= max_spans) return onDropped('queue_full', 1)
    size += 1
    batches.onEnd(span)
  }

  return {
    processor: {
      onStart() {},
      onEnd(span) {
        const spans = held.get(span.spanContext().traceId)
        if (spans === undefined) add(span)
        else if (spans.length < spanBounds.round) spans.push(span)
        else onDropped('round_full', 1)
      },
      forceFlush: () => batches.forceFlush(),
      shutdown: () => batches.shutdown(),
    },
    hold: (trace_id) => void held.set(trace_id, []),
    release(trace_id, isWanted) {
      const spans = held.get(trace_id) ?? []
      held.delete(trace_id)
      if (isWanted(spans)) for (const span of spans) add(span)
    },
    size: () => size,
  }
}

type OnExported = (spans: number, isExported: boolean) => void

/** An exporter that counts. An export that takes too long has failed; the processor stops waiting for it at the same time. */
function countExports(exporter: SpanExporter, timeout_ms: number, onExported: OnExported): SpanExporter {
  return {
    export(spans, done) {
      let isCounted = false
      const count = (isExported: boolean) => {
        if (!isCounted) onExported(spans.length, isExported)
        isCounted = true
      }
      const timer = setTimeout(count, timeout_ms, false).unref()
      exporter.export(spans, (result) => {
        clearTimeout(timer)
        count(result.error === undefined)
        done(result)
      })
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  }
}
