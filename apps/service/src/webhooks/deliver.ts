import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { openHolds, type ReadVerifications } from './hold.ts'
import { openPace } from './pace.ts'
import { openRecorder, type OnDelivered } from './record.ts'
import { openSenders, type Senders } from './send.ts'
import { caps, nameOf, shareOut, type Lane, type Share } from './share-out.ts'
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
  const pace = openPace()
  let lanes: Lane[] = []
  let after = firstLane
  let all = true
  let lookAt_ms = 0
  while (!stop.aborted) {
    if (performance.now() >= lookAt_ms) {
      lookAt_ms = performance.now() + poll_ms
      await readyWaiting(db, wokenAtOnce)
      lanes = await readLanes(db, after, lanesAtOnce)
      all = after === firstLane && lanes.length < lanesAtOnce
      after = lanes[lanesAtOnce - 1] ?? firstLane
    }
    const shares = shareOut({
      lanes,
      open: senders.open(),
      free: senders.free(),
      allowed: (host) => pace.allowed(host),
    })
    pace.note({ ...hostsOf(lanes, shares, senders), all })
    if (shares.length > 0) {
      const claimed = await claimEvents(db, { shares, lease: randomUUID(), lease_seconds })
      for (const event of claimed) senders.begin(event)
      lanes = withoutEmpty(lanes, shares, claimed)
      continue
    }
    // There were more lanes than one look shows, and these can have no more now.
    if (after !== firstLane) lookAt_ms = 0
    const pause = sleep(Math.max(lookAt_ms - performance.now(), 1), undefined, { signal: stop }).catch(() => {
      // Told to stop while waiting.
    })
    // Something is ready that nobody may take now: a sender that ends can change that.
    await (lanes.length > 0 ? Promise.race([senders.oneEnded(), pause]) : pause)
  }
}

/** Which hosts have something ready, and which of them can have no more now, with how many they could use at most. */
function hostsOf(lanes: readonly Lane[], shares: readonly Lane[], senders: Senders) {
  const ready = new Set(lanes.map(({ host }) => host))
  const full = ready.difference(new Set(shares.map(({ host }) => host)))
  // While the receiver is what everything waits for, more could only wait with it.
  const most = (host: string) => (senders.allBusy(host) ? caps.host : caps.tenant)
  return { ready, full: new Map(Array.from(full, (host) => [host, most(host)])) }
}

/** The lanes that may have more: one that gave less than it was asked for has nothing left until the next look. */
function withoutEmpty(lanes: readonly Lane[], shares: readonly Share[], claimed: readonly Lane[]): Lane[] {
  const asked = new Map(shares.map((share) => [nameOf(share), share.room]))
  for (const event of claimed) asked.set(nameOf(event), (asked.get(nameOf(event)) ?? 0) - 1)
  return lanes.filter((lane) => (asked.get(nameOf(lane)) ?? 0) <= 0)
}
