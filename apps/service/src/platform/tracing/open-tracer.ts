import { ROOT_CONTEXT } from '@opentelemetry/api'
import { SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace'
import { openActiveSpan } from './active-span.ts'
import { markFailed } from './mark-failed.ts'
import { openSpanSource, type ExportOptions } from './open-span-source.ts'
import { openRequestSpans } from './request-spans.ts'
import { openRoundSpans } from './round-spans.ts'
import { openSessionSpans } from './session-spans.ts'
import type { TraceParts } from './trace-parts.ts'
import type { Tracer } from './tracing.ts'

export type TracerOptions = ExportOptions &
  Pick<TraceParts, 'callers' | 'keyring'> & {
    /** The share of traces that is sampled, by their id. `parentBased`: a caller whose trace is continued decides instead. */
    sampler: { ratio: number; parentBased: boolean }
  }

/** A tracer that exports to a collector. This module loads the SDK of OpenTelemetry. */
export function openTracer(options: TracerOptions): Tracer & { close(): Promise<void> } {
  const { sampler, callers, keyring } = options
  const source = openSpanSource(options)
  const current = openActiveSpan(source)
  const parts: TraceParts = {
    source,
    current,
    isSampled: openSampler(sampler.ratio),
    parentBased: sampler.parentBased,
    callers,
    keyring,
  }
  return {
    ...current,
    ...openRequestSpans(parts),
    ...openSessionSpans(parts),
    ...openRoundSpans(parts),
    markFailed,
    close: () => source.close(),
  }
}

function openSampler(share: number): (trace_id: string) => boolean {
  const ratio = new TraceIdRatioBasedSampler(share)
  return (trace_id) =>
    ratio.shouldSample(ROOT_CONTEXT, trace_id).decision === SamplingDecision.RECORD_AND_SAMPLED
}
