import type { Context } from '../../context.ts'
import { attemptDelivery } from './attempt.ts'
import type { SessionLocks } from './session-locks.ts'
import { openHostSlots } from './host-slots.ts'
import type { AttemptRecorder } from './record-attempts.ts'
import { maxSenders, type Lane } from './allocate-senders.ts'
import type { ClaimedEvent } from '../event.ts'
import { deleteEvent, requeueEvent, type Attempt } from '../store.ts'

export type Senders = {
  freeCount(): number
  /** The lane of each event that was begun and has no recorded outcome yet: were the process killed, it would be sent again. */
  openLanes(): Lane[]
  /** Whether every line of a host waits for its receiver: more events would only wait for a line. */
  isSaturated(host: string): boolean
  start(event: ClaimedEvent): void
  nextEnded(): Promise<void>
  allEnded(): Promise<void>
}

type OpenSenders = {
  locks: SessionLocks
  record: AttemptRecorder
  /** The holds are void from then on. */
  connectionLost: AbortSignal
}

/** Makes attempts, many at once, and has their outcomes recorded. A fault of ours leaves the event to the end of its lease. */
export function openSenders(
  ctx: Context,
  { locks: holds, record, connectionLost: lost }: OpenSenders,
): Senders {
  const open = new Set<ClaimedEvent>()
  const lines = openHostSlots()
  const underWay = new Set<Promise<void>>()
  let next = Promise.withResolvers<void>()

  async function send(event: ClaimedEvent): Promise<void> {
    const ended = await attemptDelivery(ctx, { locks: holds, slots: lines, connectionLost: lost }, event)
    if (lost.aborted || ended.outcome === 'left_alone') return
    if (ended.outcome === 'gone') await deleteEvent(ctx.db, event)
    else if (ended.outcome === 'no_line') await requeueEvent(ctx.db, event)
    else count(await record(event, ended))
  }

  function leave(event: ClaimedEvent): void {
    open.delete(event)
    next.resolve()
    next = Promise.withResolvers()
  }

  function count({ outcome, duration_ms, wait_seconds }: Attempt): void {
    ctx.metrics.webhookAttempts.observe({ outcome }, duration_ms / 1000)
    if (outcome !== 'delivered' && wait_seconds === null) ctx.metrics.webhookExhausted.inc()
  }

  return {
    freeCount: () => maxSenders.total - underWay.size,
    openLanes: () => [...open],
    isSaturated: (host) => lines.isSaturated(host),
    start(event) {
      open.add(event)
      const delivery = send(event)
        .catch((error: unknown) => ctx.log.error({ err: error }, 'a delivery was not finished'))
        .finally(() => {
          underWay.delete(delivery)
          leave(event)
        })
      underWay.add(delivery)
    },
    nextEnded: () => next.promise,
    async allEnded() {
      await Promise.all(underWay)
    },
  }
}
