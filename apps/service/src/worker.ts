import { setTimeout as sleep } from 'node:timers/promises'
import { advanceAudit } from './audit/advance.ts'
import { dropOldTexts } from './audit/chain/drop-old-texts.ts'
import type { Context } from './context.ts'
import { sweepGuesses } from './devices/sweep.ts'
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
export const finishRounds_ms = 10_000

/** Something the worker does again and again. A round that throws is logged and tried again after the same pause. */
type Loop = {
  name: string
  every_ms: number
  round: (ctx: Context, signal: AbortSignal) => Promise<unknown>
}

/** Everything that runs in the background. Nothing here is needed for a correct answer. */
const loops: readonly Loop[] = [
  { name: 'expire', every_ms: 30_000, round: expireSessions },
  { name: 'retention', every_ms: 600_000, round: dropOldDays },
  { name: 'audit', every_ms: 250, round: advanceAudit },
  { name: 'audit texts', every_ms: 3_600_000, round: dropOldTexts },
  {
    name: 'webhooks',
    every_ms: 1000,
    // It goes on until it is told to stop; a round ends early only when something failed.
    round: (ctx, signal) =>
      deliverWebhooks(ctx, signal, {
        read: (db, events) => readForWebhooks(ctx, db, events),
        onDelivered: forgetDelivered,
      }),
  },
  { name: 'webhook metrics', every_ms: 5000, round: reportQueueMetrics },
  { name: 'pairing guesses', every_ms: 600_000, round: sweepGuesses },
  { name: 'members', every_ms: 600_000, round: sweepMembers },
  {
    name: 'trust list metrics',
    every_ms: listMetricsInterval_ms,
    round: ({ trust }) => trust.updateListMetrics(),
  },
  { name: 'trust lists', every_ms: 30_000, round: refreshDueLists },
  {
    name: 'status lists',
    every_ms: 2000,
    round: async ({ db, trust }) => void (await prefetchStatusLists({ db, egress: trust.statusEgress })),
  },
]

/**
 * Runs every loop, each in its own time, until the signal. The rounds that are under way are finished, or abandoned when they take
 * too long: what is left undone is found by the next worker.
 */
export async function work(
  ctx: Context,
  signal: AbortSignal,
  { table = loops, finish_ms = finishRounds_ms }: { table?: readonly Loop[]; finish_ms?: number } = {},
): Promise<void> {
  const running = new Set(table.map(({ name }) => name))
  const finished = Promise.all(
    table.map((loop) => repeat(ctx, signal, loop).finally(() => running.delete(loop.name))),
  )
  const late = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => setTimeout(late.resolve, finish_ms).unref(), { once: true })
  await Promise.race([finished, late.promise])
  if (running.size > 0) ctx.log.error({ loops: [...running] }, 'rounds were abandoned')
}

async function repeat(ctx: Context, signal: AbortSignal, { name, every_ms, round }: Loop): Promise<void> {
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
