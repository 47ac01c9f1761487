import { randomUUID } from 'node:crypto'
import { mailHost } from '../../../audit/index.ts'
import type { Context } from '../../../engine/context.ts'
import type { Connection } from '../../../engine/db/index.ts'
import {
  type Allocation,
  type ReceiverQueue,
  allocateSenders,
  queueKey,
  maxSenders,
} from './allocate-senders.ts'
import { openPause } from './pause.ts'
import { measureQueue, pollQueue, queueChannel } from './queue-store.ts'
import { type OnDelivered, openAttemptRecorder } from './record-attempts.ts'
import { type MessageSenders, type Senders, openSenders } from './senders.ts'
import {
  type ReadVerifications,
  type VerificationLocks,
  openVerificationLocks,
} from './verification-locks.ts'

/** What deliveries need from other modules, which they must not import. */
type DeliveryCallbacks = {
  messages: MessageSenders
  read: ReadVerifications
  onDelivered: OnDelivered
  /** Called after each poll, which shows that the loop is alive. */
  onPolled?: () => void
}

const lease_seconds = 30
const maxQueues = 500
const maxDue = 1000
const firstQueue: ReceiverQueue = { tenant_id: '00000000-0000-0000-0000-000000000000', host: '' }

/** How often the queue is polled while it has ready events, or had any within the last second. */
const poll_ms = 100
/** How often it is polled otherwise. New events are announced, so this finds only retries and events whose announcement was lost. */
const idlePoll_ms = 1000

/**
 * Delivers due events until `signal` aborts, then finishes the attempts in progress. It never claims more events than it has
 * free senders, so that a lease always outlasts its attempt. Events that a killed process had claimed are retried when their
 * lease expires.
 */
export async function deliverWebhooks(
  ctx: Context,
  signal: AbortSignal,
  callbacks: DeliveryCallbacks,
): Promise<void> {
  const connection = await ctx.db.connection()
  const locks = openVerificationLocks(ctx, connection, callbacks.read)
  const senders = openSenders(ctx, {
    messages: callbacks.messages,
    locks,
    record: openAttemptRecorder(ctx, callbacks.onDelivered),
    connectionLost: connection.lost,
  })
  try {
    const stop = AbortSignal.any([signal, connection.lost])
    await claimUntil(stop, { db: ctx.db, connection, locks, senders, onPolled: callbacks.onPolled })
  } finally {
    await senders.allEnded()
    connection.close()
  }
  if (!signal.aborted)
    throw new Error('The database connection that holds the locks of verifications was lost.')
}

type ClaimResources = Pick<Context, 'db'> & {
  connection: Connection
  locks: VerificationLocks
  senders: Senders
  onPolled: (() => void) | undefined
}

async function claimUntil(
  stop: AbortSignal,
  { db, connection, locks, senders, onPolled }: ClaimResources,
): Promise<void> {
  const concurrency = openHostConcurrency()
  const pause = openPause(stop)
  let queues: ReceiverQueue[] = []
  let after = firstQueue
  let isComplete = true
  let nextPoll_ms = 0
  let busyUntil_ms = 0
  let isAnnounced = false
  let round = 0
  /** The receiver queues with ready events, and the round in which each last got a sender. */
  let served = new Map<string, number>()
  await connection.listen(queueChannel, () => {
    isAnnounced = true
    pause.end()
  })
  // Ready events may be blocked by a limit, which a finished sender can lift.
  senders.onEnded(() => queues.length > 0 && pause.end())
  while (!stop.aborted) {
    const now_ms = performance.now()
    if (isAnnounced || now_ms >= nextPoll_ms) {
      isAnnounced = false
      queues = await pollQueue(db, { after, maxQueues, maxDue })
      onPolled?.()
      served = new Map(queues.map(queueKey).map((key) => [key, served.get(key) ?? 0]))
      if (queues.length > 0) busyUntil_ms = now_ms + idlePoll_ms
      nextPoll_ms = now_ms + (now_ms < busyUntil_ms ? poll_ms : idlePoll_ms)
      isComplete = after === firstQueue && queues.length < maxQueues
      after = queues[maxQueues - 1] ?? firstQueue
    }
    const allocations = allocateSenders({
      queues,
      open: senders.openQueues(),
      free: senders.freeCount(),
      hostLimit: (host) => concurrency.limit(host),
      lastServed: (queue) => served.get(queueKey(queue)) ?? 0,
    })
    round += 1
    for (const queue of allocations) served.set(queueKey(queue), round)
    concurrency.update({ ...findReadyHosts(queues, allocations, senders), complete: isComplete })
    if (allocations.length > 0) {
      const claimed = await locks.claim({ allocations, lease: randomUUID(), lease_seconds })
      senders.start(claimed)
      queues = dropEmptyQueues(queues, allocations, claimed)
      continue
    }
    // There is another page of receiver queues, and those on this page can take no more now: read it at once.
    if (after !== firstQueue) nextPoll_ms = 0
    if (!isAnnounced) await pause.wait(Math.max(nextPoll_ms - performance.now(), 1))
  }
}

/** The hosts with ready events, and those of them that are at their limit, each with the highest limit that would help. */
function findReadyHosts(
  queues: readonly ReceiverQueue[],
  allocations: readonly ReceiverQueue[],
  senders: Senders,
) {
  const ready = new Set(queues.map(({ host }) => host))
  const full = ready.difference(new Set(allocations.map(({ host }) => host)))
  const maxUseful = (host: string) => (host === mailHost ? maxSenders.mail : senders.maxUseful(host))
  return { ready, saturated: new Map(Array.from(full, (host) => [host, maxUseful(host)])) }
}

/** Drops the receiver queues that yielded fewer events than allocated: they are empty until the next poll. */
function dropEmptyQueues(
  queues: readonly ReceiverQueue[],
  allocations: readonly Allocation[],
  claimed: readonly ReceiverQueue[],
): ReceiverQueue[] {
  const missing = new Map(allocations.map((allocation) => [queueKey(allocation), allocation.count]))
  for (const event of claimed) missing.set(queueKey(event), (missing.get(queueKey(event)) ?? 0) - 1)
  return queues.filter((queue) => (missing.get(queueKey(queue)) ?? 0) <= 0)
}

/** Limits how many messages may be open to a host at once. */
type HostConcurrency = {
  limit(host: string): number
  /**
   * Called once per round: `ready` are the hosts with ready events, `saturated` those of them that are at their limit, each
   * with the highest limit that would help. `complete` is false if there are further hosts with ready events.
   */
  update(round: {
    ready: ReadonlySet<string>
    saturated: ReadonlyMap<string, number>
    complete: boolean
  }): void
}

/** `since_ms`: start of the current backlog, or the last increase. `saturated_ms`: last time at the limit, or the last decrease. */
type HostBacklog = { limit: number; since_ms: number; saturated_ms: number }

const step_ms = 500

/**
 * Messages that are open when a worker is killed may be sent twice, so a host starts with one open message: the next is sent
 * once the outcome is recorded. The limit doubles for every half second of uninterrupted backlog, and halves for every half
 * second without one. With 16 open from the start, 3 kills caused 14 duplicates; this way, 100 caused 6.
 */
export function openHostConcurrency(now_ms: () => number = () => performance.now()): HostConcurrency {
  const backlogs = new Map<string, HostBacklog>()

  return {
    limit: (host) => backlogs.get(host)?.limit ?? 1,
    update({ ready, saturated, complete }) {
      const now = now_ms()
      for (const [host, maxUseful] of saturated) {
        const backlog = backlogs.get(host) ?? { limit: 1, since_ms: now, saturated_ms: now }
        backlog.saturated_ms = now
        if (now - backlog.since_ms >= step_ms) {
          backlog.limit = Math.min(maxUseful, 2 * backlog.limit)
          backlog.since_ms = now
        }
        backlogs.set(host, backlog)
      }
      for (const [host, backlog] of backlogs) {
        if (complete && !ready.has(host)) backlog.since_ms = now
        if (now - backlog.saturated_ms < step_ms) continue
        backlog.limit /= 2
        backlog.saturated_ms = now
        if (backlog.limit < 1) backlogs.delete(host)
      }
    },
  }
}

/** Publishes the size and the lag of the queue. Every worker reports the same values. */
export async function reportQueueMetrics({ db, metrics }: Pick<Context, 'db' | 'metrics'>): Promise<void> {
  const { ready, waiting, leased, lag_seconds } = await measureQueue(db)
  metrics.webhookQueue.set({ state: 'ready' }, ready)
  metrics.webhookQueue.set({ state: 'waiting' }, waiting)
  metrics.webhookQueue.set({ state: 'leased' }, leased)
  metrics.webhookLag.set(lag_seconds)
}

/** What waits to be delivered, and for how long the oldest of what is ready. */
export async function readWebhookQueue({
  db,
}: Pick<Context, 'db'>): Promise<{ waiting: number; lag_seconds: number }> {
  const { ready, waiting, leased, lag_seconds } = await measureQueue(db)
  return { waiting: ready + waiting + leased, lag_seconds }
}

/** How long the oldest ready event has been ready, in seconds. */
export async function readWebhookLag({ db }: Pick<Context, 'db'>): Promise<number> {
  return (await measureQueue(db)).lag_seconds
}
