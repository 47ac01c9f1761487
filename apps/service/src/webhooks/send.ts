import type { Context } from '../context.ts'
import { attemptDelivery } from './attempt.ts'
import type { Holds } from './hold.ts'
import { openLines } from './lines.ts'
import type { Recorder } from './record.ts'
import { caps, type Lane } from './share-out.ts'
import type { ClaimedEvent } from './event.ts'
import { dropEvent, returnEvent, type Attempt } from './store.ts'

export type Senders = {
  free(): number
  /** The lane of each event that was begun and has no recorded outcome yet: were the process killed, it would be sent again. */
  open(): Lane[]
  /** Whether every line of a host waits for its receiver: more events would only wait for a line. */
  allBusy(host: string): boolean
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
  const open = new Set<ClaimedEvent>()
  const lines = openLines()
  const underWay = new Set<Promise<void>>()
  let next = Promise.withResolvers<void>()

  async function send(event: ClaimedEvent): Promise<void> {
    const ended = await attemptDelivery(ctx, { holds, lines, lost }, event)
    if (lost.aborted || ended.outcome === 'left_alone') return
    if (ended.outcome === 'gone') await dropEvent(ctx.db, event)
    else if (ended.outcome === 'no_line') await returnEvent(ctx.db, event)
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
    free: () => caps.senders - underWay.size,
    open: () => [...open],
    allBusy: (host) => lines.allBusy(host),
    begin(event) {
      open.add(event)
      const delivery = send(event)
        .catch((error: unknown) => ctx.log.error({ err: error }, 'a delivery was not finished'))
        .finally(() => {
          underWay.delete(delivery)
          leave(event)
        })
      underWay.add(delivery)
    },
    oneEnded: () => next.promise,
    async allEnded() {
      await Promise.all(underWay)
    },
  }
}
