import type { Context } from '../context.ts'
import { attemptDelivery } from './attempt.ts'
import type { Holds } from './hold.ts'
import type { Recorder } from './record.ts'
import { caps, type Lane } from './share-out.ts'
import type { ClaimedEvent } from './event.ts'
import { dropEvent, type Attempt } from './store.ts'

export type Senders = {
  free(): number
  /** The lane of each event that is being sent; not of those whose outcome is only being recorded. */
  lanes(): Lane[]
  begin(event: ClaimedEvent): void
  oneEnded(): Promise<void>
  allEnded(): Promise<void>
}

type OpenSenders = {
  holds: Holds
  record: Recorder
  /** The holds are void from then on. */
  lost: AbortSignal
}

/** Makes attempts, many at once, and has their outcomes recorded. A fault of ours leaves the event to the end of its lease. */
export function openSenders(ctx: Context, { holds, record, lost }: OpenSenders): Senders {
  const sending = new Set<ClaimedEvent>()
  const underWay = new Set<Promise<void>>()
  let next = Promise.withResolvers<void>()

  async function send(event: ClaimedEvent): Promise<void> {
    sending.add(event)
    const ended = await attemptDelivery(ctx, { holds, lost }, event).finally(() => leave(event))
    if (lost.aborted || ended.outcome === 'left_alone') return
    if (ended.outcome === 'gone') await dropEvent(ctx.db, event)
    else count(await record(event, ended))
  }

  /** The line is free for the next event while the outcome of this one is recorded. */
  function leave(event: ClaimedEvent): void {
    sending.delete(event)
    next.resolve()
    next = Promise.withResolvers()
  }

  function count({ outcome, duration_ms, wait_seconds }: Attempt): void {
    ctx.metrics.webhookAttempts.observe({ outcome }, duration_ms / 1000)
    if (outcome !== 'delivered' && wait_seconds === null) ctx.metrics.webhookExhausted.inc()
  }

  return {
    free: () => caps.senders - underWay.size,
    lanes: () => [...sending],
    begin(event) {
      const delivery = send(event)
        .catch((error: unknown) => ctx.log.error({ err: error }, 'a delivery was not finished'))
        .finally(() => underWay.delete(delivery))
      underWay.add(delivery)
    },
    oneEnded: () => next.promise,
    async allEnded() {
      await Promise.all(underWay)
    },
  }
}
