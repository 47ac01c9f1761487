import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { openHolds, type ReadVerifications } from './hold.ts'
import { openRecorder, type OnDelivered } from './record.ts'
import { openSenders, type Senders } from './send.ts'
import { shareOut, type Lane } from './share-out.ts'
import { claimEvents, readLanes, readyWaiting } from './store.ts'

/** What deliveries need of the verifications, which lie above them. */
export type Verifications = { read: ReadVerifications; onDelivered: OnDelivered }

const poll_ms = 100
const lease_seconds = 30
const lanesAtOnce = 500
const wokenAtOnce = 1000
const firstLane: Lane = { tenant_id: '00000000-0000-0000-0000-000000000000', host: '' }

/**
 * Sends what is due until told to stop, and finishes what is under way. No more is claimed than there are free senders,
 * so that a lease always outlasts its attempt; what a killed process had claimed is taken up when its lease ends.
 */
export async function deliverWebhooks(
  ctx: Context,
  signal: AbortSignal,
  verifications: Verifications,
): Promise<void> {
  const connection = await ctx.db.connection()
  const senders = openSenders(ctx, {
    holds: openHolds(ctx, connection, verifications.read),
    record: openRecorder(ctx, verifications.onDelivered),
    lost: connection.lost,
  })
  try {
    await claimUntil(AbortSignal.any([signal, connection.lost]), ctx, senders)
  } finally {
    await senders.allEnded()
    connection.close()
  }
  if (!signal.aborted) throw new Error('the connection that holds sessions was lost')
}

async function claimUntil(stop: AbortSignal, { db }: Pick<Context, 'db'>, senders: Senders): Promise<void> {
  let after = firstLane
  let wakeAt_ms = 0
  while (!stop.aborted) {
    if (performance.now() >= wakeAt_ms) {
      await readyWaiting(db, wokenAtOnce)
      wakeAt_ms = performance.now() + poll_ms
    }
    const lanes = await readLanes(db, after, lanesAtOnce)
    after = lanes[lanesAtOnce - 1] ?? firstLane
    const shares = shareOut({ lanes, underWay: senders.lanes(), free: senders.free() })
    const claimed =
      shares.length === 0 ? [] : await claimEvents(db, { shares, lease: randomUUID(), lease_seconds })
    for (const event of claimed) senders.begin(event)
    if (claimed.length > 0) continue

    const pause = sleep(poll_ms, undefined, { signal: stop }).catch(() => {
      // Told to stop while waiting.
    })
    // Something is ready that nobody may take now: a sender that ends can change that.
    await (lanes.length > 0 ? Promise.race([senders.oneEnded(), pause]) : pause)
  }
}
