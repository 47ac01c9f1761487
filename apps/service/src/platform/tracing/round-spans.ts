import { SpanKind } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { markFailed } from './mark-failed.ts'
import { newIds } from './trace-ids.ts'
import type { TraceParts } from './trace-parts.ts'
import { errorType, type Tracer } from './tracing.ts'

/** The spans of background rounds. They wait for the end of their round, which decides whether they are exported. */
export function openRoundSpans({ source, current, isSampled }: TraceParts): Pick<Tracer, 'traceRound'> {
  return {
    async traceRound(loop, work) {
      const round = newIds()
      if (!isSampled(round.trace_id)) return work()
      const span = source.startRoot(round, `loop ${loop}`)
      source.hold(round.trace_id)
      let didSomething = true
      try {
        const result = await current.within(span, work)
        didSomething = result === true || (typeof result === 'number' && result > 0)
        return result
      } catch (error) {
        markFailed(span, errorType(error))
        throw error
      } finally {
        span.end()
        source.release(round.trace_id, (ended) => didSomething || ended.some(isOutbound))
      }
    },
  }
}

function isOutbound({ attributes, kind }: ReadableSpan): boolean {
  return kind === SpanKind.CLIENT && 'server.address' in attributes
}
