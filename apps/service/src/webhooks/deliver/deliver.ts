import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { openSessionLocks, type ReadVerifications } from './session-locks.ts'
import { openHostConcurrency } from './host-concurrency.ts'
import { openAttemptRecorder, type OnDelivered } from './record-attempts.ts'
import { openSenders, type Senders } from './senders.ts'
import { maxSenders, laneKey, allocateSenders, type Lane, type Allocation } from './allocate-senders.ts'
import { claimEvents, readLanes, markDueEventsReady } from '../store.ts'

/** What deliveries need of the verifications, which lie above them. */
export type VerificationCallbacks = { read: ReadVerifications; onDelivered: OnDelivered }

const poll_ms = 100
const lease_seconds = 30
const maxLanes = 500
const maxDueEvents = 1000
const firstLane: Lane = { tenant_id: '00000000-0000-0000-0000-000000000000', host: '' }

/**
 * Sends what is due until told to stop, and finishes what is under way. No more is claimed than there are free senders,
 * so that a lease always outlasts its attempt; what a killed process had claimed is taken up when its lease ends.
 */
export async function deliverWebhooks(
  ctx: Context,
  signal: AbortSignal,
  verifications: VerificationCallbacks,
): Promise<void> {
  const connection = await ctx.db.connection()
  const senders = openSenders(ctx, {
    locks: openSessionLocks(ctx, connection, verifications.read),
    record: openAttemptRecorder(ctx, verifications.onDelivered),
    connectionLost: connection.lost,
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
  const pace = openHostConcurrency()
  let lanes: Lane[] = []
  let after = firstLane
  let all = true
  let nextPoll_ms = 0
  while (!stop.aborted) {
    if (performance.now() >= nextPoll_ms) {
      nextPoll_ms = performance.now() + poll_ms
      await markDueEventsReady(db, maxDueEvents)
      lanes = await readLanes(db, after, maxLanes)
      all = after === firstLane && lanes.length < maxLanes
      after = lanes[maxLanes - 1] ?? firstLane
    }
    const shares = allocateSenders({
      lanes,
      open: senders.openLanes(),
      free: senders.freeCount(),
      allowed: (host) => pace.limit(host),
    })
    pace.update({ ...findReadyHosts(lanes, shares, senders), complete: all })
    if (shares.length > 0) {
      const claimed = await claimEvents(db, { allocations: shares, lease: randomUUID(), lease_seconds })
      for (const event of claimed) senders.start(event)
      lanes = dropEmptyLanes(lanes, shares, claimed)
      continue
    }
    // There were more lanes than one look shows, and these can have no more now.
    if (after !== firstLane) nextPoll_ms = 0
    const pause = sleep(Math.max(nextPoll_ms - performance.now(), 1), undefined, { signal: stop }).catch(
      () => {
        // Told to stop while waiting.
      },
    )
    // Something is ready that nobody may take now: a sender that ends can change that.
    await (lanes.length > 0 ? Promise.race([senders.nextEnded(), pause]) : pause)
  }
}

/** Which hosts have something ready, and which of them can have no more now, with how many they could use at most. */
function findReadyHosts(lanes: readonly Lane[], shares: readonly Lane[], senders: Senders) {
  const ready = new Set(lanes.map(({ host }) => host))
  const full = ready.difference(new Set(shares.map(({ host }) => host)))
  // While the receiver is what everything waits for, more could only wait with it.
  const most = (host: string) => (senders.isSaturated(host) ? maxSenders.host : maxSenders.tenant)
  return { ready, full: new Map(Array.from(full, (host) => [host, most(host)])) }
}

/** The lanes that may have more: one that gave less than it was asked for has nothing left until the next look. */
function dropEmptyLanes(
  lanes: readonly Lane[],
  shares: readonly Allocation[],
  claimed: readonly Lane[],
): Lane[] {
  const asked = new Map(shares.map((share) => [laneKey(share), share.room]))
  for (const event of claimed) asked.set(laneKey(event), (asked.get(laneKey(event)) ?? 0) - 1)
  return lanes.filter((lane) => (asked.get(laneKey(lane)) ?? 0) <= 0)
}
