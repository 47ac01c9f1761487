import { deliveryErrors } from '@vidimus/contract'
import type { Context } from '../../../engine/context.ts'
import { attemptDelivery, traceAttempt } from './attempt.ts'
import { type EarlyLocks, type VerificationLocks, openEarlyLocks } from './verification-locks.ts'
import { type ReceiverQueue, maxSenders, openHostSlots } from './allocate-senders.ts'
import type { AttemptRecorder, FinishedAttempt } from './record-attempts.ts'
import type {
  ClaimedAlert,
  ClaimedErasureEvent,
  ClaimedMail,
  ClaimedUsageDay,
  QueuedMessage,
} from '../event.ts'
import {
  deleteEvent,
  requeueEvent,
  type Attempt,
  type LockedEvent,
  type StartedEvent,
} from './queue-store.ts'

export type Senders = {
  freeCount(): number
  /** The receiver queue of each event whose outcome is not recorded yet: if the process were killed now, it would be sent again. */
  openQueues(): ReceiverQueue[]
  /** How many messages may be open to a host, before further ones would only wait for it. */
  maxUseful(host: string): number
  /** Starts the events of one claim. */
  start(events: readonly StartedEvent[]): void
  /** Calls the listener when attempts have ended: once for all that end together. */
  onEnded(listener: () => void): void
  allEnded(): Promise<void>
}

/** What deliveries need of a kind of message that is not about a verification. */
export type MessageSender<Message> = {
  /** Sends it once. */
  send: (message: Message) => Promise<FinishedAttempt>
  /** Called once an attempt is recorded. */
  onRecorded?: (message: Message, attempt: Attempt) => Promise<void>
}

export type MessageSenders = {
  alert: MessageSender<ClaimedAlert>
  mail: MessageSender<ClaimedMail>
  usage: MessageSender<ClaimedUsageDay>
  erasure: MessageSender<ClaimedErasureEvent>
}

type OpenSenders = {
  messages: MessageSenders
  locks: VerificationLocks
  record: AttemptRecorder
  /** Aborts when the locks are lost with their connection. */
  connectionLost: AbortSignal
}

const disabled = {
  outcome: 'concluded',
  delivered: false,
  error: deliveryErrors.disabled,
  duration_ms: 0,
  backoff_seconds: [],
} as const

/** Makes many attempts at once and records their outcomes. If we fail ourselves, the event is retried when its lease expires. */
export function openSenders(ctx: Context, { messages, locks, record, connectionLost }: OpenSenders): Senders {
  const open = new Set<StartedEvent>()
  const slots = openHostSlots()
  const inProgress = new Set<Promise<void>>()
  let notifyEnded = () => {}
  let ended: NodeJS.Immediate | undefined

  async function send(event: StartedEvent, early: EarlyLocks): Promise<void> {
    switch (event.endpoint_state) {
      case 'deleted':
        return deleteEvent(ctx.db, event)
      case 'moved':
        return requeueEvent(ctx.db, event, event)
      case 'disabled':
        return void (await record(event, disabled, open.size))
      case null:
        if (event.kind === 'alert') return attemptMessage(messages.alert, event)
        if (event.kind === 'mail') return attemptMessage(messages.mail, event)
        if (event.kind === 'usage') return attemptMessage(messages.usage, event)
        if (event.kind === 'erasure') return attemptMessage(messages.erasure, event)
        return traceAttempt(event, () => attempt(event, early))
    }
  }

  async function attempt(event: LockedEvent, early: EarlyLocks): Promise<void> {
    const result = await attemptDelivery(ctx, { locks, early, slots, connectionLost }, event)
    if (connectionLost.aborted || result.outcome === 'not_sent') return
    if (result.outcome === 'gone') await deleteEvent(ctx.db, event)
    else if (result.outcome === 'no_slot') await requeueEvent(ctx.db, event)
    else countAttempt(await record(event, result, open.size))
  }

  async function attemptMessage<Message extends QueuedMessage>(
    { send: sendOnce, onRecorded }: MessageSender<Message>,
    message: Message,
  ): Promise<void> {
    if (!(await slots.acquire(message.host))) return requeueEvent(ctx.db, message)
    const started_ms = performance.now()
    const result = await sendOnce(message).finally(() =>
      slots.release(message.host, performance.now() - started_ms),
    )
    const recorded = await record(message, result, open.size)
    await onRecorded?.(message, recorded)
  }

  function finish(event: StartedEvent): void {
    open.delete(event)
    // Attempts are recorded in batches. The next claim replaces all that end in this turn of the event loop.
    ended ??= setImmediate(() => {
      ended = undefined
      notifyEnded()
    })
  }

  function countAttempt({ outcome, duration_ms, wait_seconds }: Attempt): void {
    ctx.metrics.webhookAttempts.observe({ outcome }, duration_ms / 1000)
    if (outcome !== 'delivered' && wait_seconds === null) ctx.metrics.webhookExhausted.inc()
  }

  return {
    freeCount: () => maxSenders.total - inProgress.size,
    openQueues: () => [...open],
    maxUseful: (host) => slots.maxUseful(host),
    start(events) {
      const verifications = events.filter((event) => event.kind === 'verification')
      const early = openEarlyLocks(locks, verifications)
      for (const event of events) {
        open.add(event)
        const delivery = send(event, early)
          .catch((error: unknown) => ctx.log.error({ err: error }, 'delivery attempt failed'))
          .finally(() => {
            inProgress.delete(delivery)
            finish(event)
          })
        inProgress.add(delivery)
      }
    },
    onEnded: (listener) => void (notifyEnded = listener),
    async allEnded() {
      await Promise.all(inProgress)
    },
  }
}
