import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { openSessionLocks, type ReadVerifications } from './session-locks.ts'
import { openHostConcurrency } from './host-concurrency.ts'
import { openAttemptRecorder, type OnDelivered } from './record-attempts.ts'
import { openSenders, type Senders } from './senders.ts'
import { maxSenders, laneKey, allocateSenders, type Lane, type Allocation } from './allocate-senders.ts'
import { claimEvents, readLanes, markDueEventsReady } from './queue-store.ts'

/** What deliveries need from the verifications slice, which they must not import. */
export type VerificationCallbacks = { read: ReadVerifications; onDelivered: OnDelivered }

const poll_ms = 100
const lease_seconds = 30
const maxLanes = 500
const maxDueEvents = 1000
const firstLane: Lane = { tenant_id: '00000000-0000-0000-0000-000000000000', host: '' }

/**
 * Delivers due events until `signal` aborts, then finishes the attempts in progress. It never claims more events than it has
 * free senders, so that a lease always outlasts its attempt. Events that a killed process had claimed are retried when their
 * lease expires.
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
  if (!signal.aborted) throw new Error('The database connection that holds the session locks was lost.')
}

async function claimUntil(stop: AbortSignal, { db }: Pick<Context, 'db'>, senders: Senders): Promise<void> {
  const concurrency = openHostConcurrency()
  let lanes: Lane[] = []
  let after = firstLane
  let isComplete = true
  let nextPoll_ms = 0
  while (!stop.aborted) {
    if (performance.now() >= nextPoll_ms) {
      nextPoll_ms = performance.now() + poll_ms
      await markDueEventsReady(db, maxDueEvents)
      lanes = await readLanes(db, after, maxLanes)
      isComplete = after === firstLane && lanes.length < maxLanes
      after = lanes[maxLanes - 1] ?? firstLane
    }
    const allocations = allocateSenders({
      lanes,
      open: senders.openLanes(),
      free: senders.freeCount(),
      hostLimit: (host) => concurrency.limit(host),
    })
    concurrency.update({ ...findReadyHosts(lanes, allocations, senders), complete: isComplete })
    if (allocations.length > 0) {
      const claimed = await claimEvents(db, { allocations, lease: randomUUID(), lease_seconds })
      for (const event of claimed) senders.start(event)
      lanes = dropEmptyLanes(lanes, allocations, claimed)
      continue
    }
    // There are more lanes than one page, and those on this page can take no more now: read the next page at once.
    if (after !== firstLane) nextPoll_ms = 0
    const pause = sleep(Math.max(nextPoll_ms - performance.now(), 1), undefined, { signal: stop }).catch(
      () => {
        // Stopped while waiting.
      },
    )
    // Ready events are blocked by a limit, which a finished sender can lift.
    await (lanes.length > 0 ? Promise.race([senders.nextEnded(), pause]) : pause)
  }
}

/** The hosts with ready events, and those of them that are at their limit, each with the highest limit that would help. */
function findReadyHosts(lanes: readonly Lane[], allocations: readonly Lane[], senders: Senders) {
  const ready = new Set(lanes.map(({ host }) => host))
  const full = ready.difference(new Set(allocations.map(({ host }) => host)))
  // When every slot waits for the receiver, more messages would only wait as well.
  const maxUseful = (host: string) => (senders.isSaturated(host) ? maxSenders.host : maxSenders.tenant)
  return { ready, saturated: new Map(Array.from(full, (host) => [host, maxUseful(host)])) }
}

/** Drops the lanes that yielded fewer events than allocated: they are empty until the next poll. */
function dropEmptyLanes(
  lanes: readonly Lane[],
  allocations: readonly Allocation[],
  claimed: readonly Lane[],
): Lane[] {
  const missing = new Map(allocations.map((allocation) => [laneKey(allocation), allocation.count]))
  for (const event of claimed) missing.set(laneKey(event), (missing.get(laneKey(event)) ?? 0) - 1)
  return lanes.filter((lane) => (missing.get(laneKey(lane)) ?? 0) <= 0)
}
