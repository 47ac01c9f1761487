import { endWith, tracing, type Tracer } from '../../platform/tracing/tracing.ts'
import { writeTraceparent } from '../../platform/tracing/traceparent.ts'
import type { ClaimedEvent } from '../event.ts'

/** Makes an attempt in a span, in the trace of its session. */
export function traceAttempt(
  tracer: Tracer,
  event: ClaimedEvent,
  attempt: () => Promise<void>,
): Promise<void> {
  const span = tracer.startInSession(event.session_id, 'webhook attempt', {
    attributes: { 'vidimus.webhook.attempt': event.attempt },
  })
  return endWith(span, tracer.within(span, attempt))
}

/** A message with the header that names its span, if the attempt is traced. */
export function addTraceparent<Message extends { headers: Record<string, string> }>(
  message: Message,
): Message {
  const span = tracing.tracer?.active()
  if (span === undefined) return message
  return { ...message, headers: { ...message.headers, traceparent: writeTraceparent(span.spanContext()) } }
}
