import { toSpanContext } from './span-contexts.ts'
import { idsOfSession } from './trace-ids.ts'
import type { TraceParts } from './trace-parts.ts'
import type { Tracer } from './tracing.ts'

/** Spans in the trace of a session, wherever the session is handled. */
export function openSessionSpans({
  source,
  current,
  isSampled,
  keyring,
}: TraceParts): Pick<Tracer, 'startInSession' | 'beginSession'> {
  return {
    startInSession(session_id, name, options) {
      const session = idsOfSession(keyring, session_id)
      if (session === undefined || !isSampled(session.trace_id)) return undefined
      return source.startBelow(toSpanContext(session), name, options)
    },
    beginSession(session_id) {
      const session = idsOfSession(keyring, session_id)
      const creator = current.active()
      if (session === undefined || !isSampled(session.trace_id)) return
      if (creator?.spanContext().traceId === session.trace_id) return
      const links = creator === undefined ? [] : [{ context: creator.spanContext() }]
      source.startRoot(session, 'verification', { links }).end()
      creator?.addLink({ context: toSpanContext(session) })
    },
  }
}
