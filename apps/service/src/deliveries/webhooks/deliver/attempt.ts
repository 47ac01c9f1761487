import type { Context } from '../../../engine/context.ts'
import type { OutboundOutcome } from '../../../engine/egress/index.ts'
import { endWith, tracing, within, writeTraceparent } from '../../../engine/observability/index.ts'
import { composeMessage } from '../compose.ts'
import type { ClaimedEvent } from '../event.ts'
import type { HostSlots } from './allocate-senders.ts'
import type { EarlyLocks, LockResult, VerificationLocks } from './verification-locks.ts'

/** HOOK-6. Writing the message has a shorter limit: an erasure of its verification waits for it. */
export const limits = { timeout_ms: 10_000, write_timeout_ms: 1000, max_response_bytes: 16 * 1024 }

/**
 * `gone`: the verification or the endpoint no longer exists. `not_sent`: the verification is being erased, or its lock was lost; the event becomes ready
 * again when its lease expires, if the verification still exists then. `no_slot`: the receiver is too busy, and nothing was sent.
 */
type AttemptOutcome = SentOutcome | { outcome: 'gone' } | { outcome: 'not_sent' } | { outcome: 'no_slot' }

export type SentOutcome = Exclude<OutboundOutcome, { outcome: 'withdrawn' }> & {
  /** When the message was composed; absent if the attempt failed before that. */
  sent_at?: string
}

type AttemptResources = {
  locks: VerificationLocks
  /** The locks that were taken with the claim of this event. */
  early: EarlyLocks
  slots: HostSlots
  connectionLost: AbortSignal
}

/**
 * Makes one attempt to deliver an event. Anything the receiver does is a return value; a thrown error is our own failure. The
 * verification is locked and read before a slot is taken, so that no slot is idle in the meantime.
 */
export async function attemptDelivery(
  ctx: Pick<Context, 'config' | 'egress' | 'keyring'>,
  resources: AttemptResources,
  event: ClaimedEvent,
): Promise<AttemptOutcome> {
  const { early, slots } = resources
  const found = await early.read(event)
  if (found === 'gone') return { outcome: 'gone' }
  if (found === 'being_erased') return { outcome: 'not_sent' }
  try {
    if (!(await slots.acquire(event.host))) return { outcome: 'no_slot' }
    const started_ms = performance.now()
    try {
      return await sendOnce(ctx, resources, event)
    } finally {
      slots.release(event.host, performance.now() - started_ms)
    }
  } finally {
    early.end(event)
  }
}

async function sendOnce(
  { config, egress, keyring }: Pick<Context, 'config' | 'egress' | 'keyring'>,
  { locks, early, connectionLost }: AttemptResources,
  event: ClaimedEvent,
): Promise<AttemptOutcome> {
  let acquired: LockResult = 'being_erased'
  const response = await egress.request({
    ...limits,
    method: 'POST',
    url: event.url,
    signal: connectionLost,
    async compose(write) {
      acquired = await early.use(event)
      // Locks end with their connection; without them an erasure may already have been confirmed.
      if (acquired === 'gone' || acquired === 'being_erased' || connectionLost.aborted) return
      try {
        const message = await composeMessage(keyring, event, acquired)
        await write(config.WEBHOOK_TRACEPARENT === 'on' ? addTraceparent(message) : message)
      } finally {
        locks.release(event)
      }
    },
  })
  const lock = acquired as LockResult // assigned in the callback, which the compiler does not track
  if (response.outcome === 'withdrawn') return { outcome: lock === 'gone' ? 'gone' : 'not_sent' }
  return typeof lock === 'string' ? response : { ...response, sent_at: lock.sent_at }
}

/** Makes an attempt, in a span of the trace of its verification if that is sampled. */
export function traceAttempt(event: ClaimedEvent, attempt: () => Promise<void>): Promise<void> {
  const attributes = { 'vidimus.webhook.attempt': event.attempt }
  const span = tracing.tracer?.startInVerification(event.verification_id, 'webhook attempt', { attributes })
  return endWith(span, within(span, attempt))
}

/** A message with the header that names its span, if the attempt is traced. */
function addTraceparent<Message extends { headers: Record<string, string> }>(message: Message): Message {
  const span = tracing.tracer?.active()
  if (span === undefined) return message
  return { ...message, headers: { ...message.headers, traceparent: writeTraceparent(span.spanContext()) } }
}
