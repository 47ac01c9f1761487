import { setTimeout as sleep } from 'node:timers/promises'
import { advanceAudit } from './audit/advance.ts'
import { dropOldTexts } from './audit/chain/drop-old-texts.ts'
import type { Context } from './context.ts'
import { sweepGuesses } from './devices/pairing/sweep-guesses.ts'
import { sweepMembers } from './members/sweep.ts'
import { listMetricsInterval_ms } from './trust/lists/metrics.ts'
import { refreshDueLists } from './trust/lists/refresh-configured.ts'
import { prefetchStatusLists } from './trust/status/prefetch.ts'
import { dropOldDays, expireSessions } from './verifications/retention/expire.ts'
import { forgetDelivered } from './verifications/retention/forget-delivered.ts'
import { readForWebhooks } from './verifications/read/read-for-webhooks.ts'
import { deliverWebhooks } from './webhooks/deliver/deliver.ts'
import { reportQueueMetrics } from './webhooks/deliver/measure-queue.ts'

/** How long the rounds that are under way have when the worker is told to stop. */
export const finishTimeout_ms = 10_000

/** Something the worker does again and again. A round that throws is logged and tried again after the same pause. */
type Loop = {
  name: string
  interval_ms: number
  run: (ctx: Context, signal: AbortSignal) => Promise<unknown>
}

/** Everything that runs in the background. Nothing here is needed for a correct answer. */
const backgroundLoops: readonly Loop[] = [
  { name: 'expire', interval_ms: 30_000, run: expireSessions },
  { name: 'retention', interval_ms: 600_000, run: dropOldDays },
  { name: 'audit', interval_ms: 250, run: advanceAudit },
  { name: 'audit texts', interval_ms: 3_600_000, run: dropOldTexts },
  {
    name: 'webhooks',
    interval_ms: 1000,
    // It goes on until it is told to stop; a round ends early only when something failed.
    run: (ctx, signal) =>
      deliverWebhooks(ctx, signal, {
        read: (db, events) => readForWebhooks(ctx, db, events),
        onDelivered: forgetDelivered,
      }),
  },
  { name: 'webhook metrics', interval_ms: 5000, run: reportQueueMetrics },
  { name: 'pairing guesses', interval_ms: 600_000, run: sweepGuesses },
  { name: 'members', interval_ms: 600_000, run: sweepMembers },
  {
    name: 'trust list metrics',
    interval_ms: listMetricsInterval_ms,
    run: ({ trust }) => trust.updateListMetrics(),
  },
  { name: 'trust lists', interval_ms: 30_000, run: refreshDueLists },
  {
    name: 'status lists',
    interval_ms: 2000,
    run: async ({ db, trust }) => void (await prefetchStatusLists({ db, egress: trust.statusEgress })),
  },
]

/**
 * Runs every loop, each in its own time, until the signal. The rounds that are under way are finished, or abandoned when they take
 * too long: what is left undone is found by the next worker.
 */
export async function runWorker(
  ctx: Context,
  signal: AbortSignal,
  {
    loops = backgroundLoops,
    finish_ms = finishTimeout_ms,
  }: { loops?: readonly Loop[]; finish_ms?: number } = {},
): Promise<void> {
  const running = new Set(loops.map(({ name }) => name))
  const finished = Promise.all(
    loops.map((loop) => runLoop(ctx, signal, loop).finally(() => running.delete(loop.name))),
  )
  const timeout = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => setTimeout(timeout.resolve, finish_ms).unref(), { once: true })
  await Promise.race([finished, timeout.promise])
  if (running.size > 0) ctx.log.error({ loops: [...running] }, 'rounds were abandoned')
}

async function runLoop(
  ctx: Context,
  signal: AbortSignal,
  { name, interval_ms: every_ms, run: round }: Loop,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await round(ctx, signal)
    } catch (error) {
      // Whatever a round can meet: the database away, a receiver's fault. The next round finds the work still there.
      ctx.log.error({ err: error, loop: name }, 'a round failed')
    }
    await sleep(every_ms, undefined, { signal }).catch(() => {
      // Told to stop while asleep.
    })
  }
}
