import { endWith, tracing, within, writeTraceparent } from '../../../engine/observability/index.ts'
import type { ClaimedEvent } from '../event.ts'

/** Makes an attempt, in a span of the trace of its session if that is sampled. */
export function traceAttempt(event: ClaimedEvent, attempt: () => Promise<void>): Promise<void> {
  const attributes = { 'vidimus.webhook.attempt': event.attempt }
  const span = tracing.tracer?.startInSession(event.session_id, 'webhook attempt', { attributes })
  return endWith(span, within(span, attempt))
}

/** A message with the header that names its span, if the attempt is traced. */
export function addTraceparent<Message extends { headers: Record<string, string> }>(
  message: Message,
): Message {
  const span = tracing.tracer?.active()
  if (span === undefined) return message
  return { ...message, headers: { ...message.headers, traceparent: writeTraceparent(span.spanContext()) } }
}
