import { setTimeout as sleep } from 'node:timers/promises'
import { advanceAudit, dropOldTexts, sweepAlerts, sweepMailRoom } from '../audit/index.ts'
import type { ServiceContext } from './context.ts'
import { sweepGuesses } from '../devices/index.ts'
import { openLoopBackoff } from '../engine/scheduling/index.ts'
import {
  databaseFailure,
  heartbeatInterval_ms,
  recordHeartbeat,
  reportClock,
  reportClockInterval_ms,
} from '../engine/db/index.ts'
import { deleteDueTenants, deletionLoop, sweepMembers, sweepOperators } from '../accounts/index.ts'
import { mailLinkResults, recordLinkUses, sweepAuthorizations, sweepLinks } from '../holder/index.ts'
import {
  countStatesInterval_ms,
  listMetricsInterval_ms,
  prefetchLists,
  recheckDueRegistrations,
  recheckInterval_ms,
  refreshDueLists,
  reportRegistrationStates,
  sweepLists,
  sweepTypes,
} from '../trust/index.ts'
import {
  countPastDays,
  countToday,
  dropOldDays,
  expireVerifications,
  forgetDelivered,
  indexVerifications,
  readForWebhooks,
  resendFailedEvents,
} from '../verifications/index.ts'
import { resealValues } from '../engine/keyring/index.ts'
import { confirmLedger } from '../operations/index.ts'
import {
  alertSender,
  announceAlerts,
  deliverWebhooks,
  erasureEventSender,
  reportQueueMetrics,
  sendMail,
  usageDaySender,
  watchExpiry,
  watchExpiryInterval_ms,
  watchFailingEndpoints,
  watchFailingHosts,
  watchLists,
  watchListsInterval_ms,
  watchQuota,
  watchQuotaInterval_ms,
} from '../deliveries/index.ts'
import { traceRound } from '../engine/observability/index.ts'

/** How long the runs in progress may take once the worker is told to stop. */
export const finishTimeout_ms = 10_000

/** A task that the worker repeats. A run that throws is logged, and the next one follows after the usual interval or later. */
type Loop = {
  name: string
  interval_ms: number
  /** The interval after a run that returned false, because it found nothing to do. The same by default. */
  idleInterval_ms?: number
  run: (ctx: ServiceContext, signal: AbortSignal) => Promise<unknown>
  /** It runs until the worker stops, and traces its work itself. */
  endless?: true
}

/** Delivers webhooks and mails that are due until the signal aborts. */
export function deliverEvents(ctx: ServiceContext, signal: AbortSignal): Promise<void> {
  return deliverWebhooks(ctx, signal, {
    messages: {
      alert: alertSender(ctx),
      mail: { send: (mail) => sendMail(ctx, mail) },
      usage: usageDaySender(ctx),
      erasure: erasureEventSender(ctx),
    },
    read: (db, events) => readForWebhooks(ctx, db, events),
    onDelivered: (tx, events) =>
      forgetDelivered(
        ctx,
        tx,
        events.map(({ verification_day, verification_id }) => ({
          day: verification_day,
          id: verification_id,
        })),
      ),
    onPolled: () => ctx.metrics.loops.succeeded('webhooks'),
  })
}

/** Everything that runs in the background. No response depends on it to be correct. */
const backgroundLoops: readonly Loop[] = [
  { name: 'expire', interval_ms: 30_000, run: expireVerifications },
  { name: 'retention', interval_ms: 600_000, run: dropOldDays },
  { name: 'figures', interval_ms: 600_000, run: countPastDays },
  { name: 'figures of today', interval_ms: 60_000, run: countToday },
  { name: 'metadata', interval_ms: 10_000, run: indexVerifications },
  { name: 'audit', interval_ms: 250, idleInterval_ms: 1000, run: advanceAudit },
  { name: 'audit texts', interval_ms: 3_600_000, run: dropOldTexts },
  {
    name: 'webhooks',
    interval_ms: 1000,
    endless: true,
    // Runs until the worker stops; it ends earlier only when something failed.
    run: deliverEvents,
  },
  { name: 'erasure ledger', interval_ms: 5000, run: confirmLedger },
  { name: 'webhook resends', interval_ms: 1000, idleInterval_ms: 5000, run: resendFailedEvents },
  { name: 'failing endpoints', interval_ms: 60_000, run: watchFailingEndpoints },
  { name: 'failing hosts', interval_ms: 60_000, run: watchFailingHosts },
  { name: 'webhook metrics', interval_ms: 5000, run: reportQueueMetrics },
  { name: 'reseal', interval_ms: 1000, idleInterval_ms: 60_000, run: resealValues },
  { name: 'heartbeat', interval_ms: heartbeatInterval_ms, run: recordHeartbeat },
  { name: 'clock', interval_ms: reportClockInterval_ms, run: reportClock },
  { name: 'pairing guesses', interval_ms: 600_000, run: sweepGuesses },
  { name: 'members', interval_ms: 600_000, run: sweepMembers },
  { name: deletionLoop, interval_ms: 60_000, run: deleteDueTenants },
  { name: 'operators', interval_ms: 600_000, run: sweepOperators },
  { name: 'openid authorizations', interval_ms: 30_000, run: sweepAuthorizations },
  { name: 'alerts', interval_ms: 100, idleInterval_ms: 5000, run: announceAlerts },
  { name: 'link results', interval_ms: 5000, run: mailLinkResults },
  { name: 'link uses', interval_ms: 1000, idleInterval_ms: 2000, run: recordLinkUses },
  { name: 'ended links', interval_ms: 600_000, run: sweepLinks },
  { name: 'quota alerts', interval_ms: watchQuotaInterval_ms, run: watchQuota },
  { name: 'expiry alerts', interval_ms: watchExpiryInterval_ms, run: watchExpiry },
  { name: 'trust list alerts', interval_ms: watchListsInterval_ms, run: watchLists },
  { name: 'registrations', interval_ms: recheckInterval_ms, run: recheckDueRegistrations },
  { name: 'registration metrics', interval_ms: countStatesInterval_ms, run: reportRegistrationStates },
  { name: 'old alerts', interval_ms: 600_000, run: sweepAlerts },
  { name: 'mail room', interval_ms: 600_000, run: sweepMailRoom },
  {
    name: 'trust list metrics',
    interval_ms: listMetricsInterval_ms,
    run: ({ trust }) => trust.updateListMetrics(),
  },
  { name: 'trust lists', interval_ms: 30_000, run: refreshDueLists },
  {
    name: 'status lists',
    interval_ms: 2000,
    run: async ({ db, trust }) => void (await prefetchLists({ db, egress: trust.statusEgress })),
  },
  { name: 'unused status lists', interval_ms: 10_000, run: sweepLists },
  { name: 'descriptions of types', interval_ms: 3_600_000, run: sweepTypes },
]

/**
 * Runs every loop, independently of the others, until the signal. Runs in progress may finish, or are abandoned when they
 * take too long: the next worker finds the work that is left.
 */
export async function runWorker(
  ctx: ServiceContext,
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
  if (running.size > 0)
    ctx.log.error({ loops: [...running] }, 'abandoned background tasks that did not finish in time')
}

async function runLoop(ctx: ServiceContext, signal: AbortSignal, loop: Loop): Promise<void> {
  const { name, interval_ms, idleInterval_ms = interval_ms, run, endless = false } = loop
  const { loops } = ctx.metrics
  const backoff = openLoopBackoff(interval_ms)
  let isTold = false
  loops.add(name, Math.max(interval_ms, idleInterval_ms))
  while (!signal.aborted) {
    let pause_ms = interval_ms
    try {
      const round = () => run(ctx, signal)
      const result = await (endless ? round() : traceRound(name, round))
      if (result === false) pause_ms = idleInterval_ms
      loops.succeeded(name)
      const failures = backoff.succeeded()
      if (isTold) ctx.log.info({ loop: name, failures }, 'background task succeeded again')
      isTold = false
    } catch (error) {
      // Anything a run can meet, such as a lost database connection. The next run finds the work still there.
      const { isLogged, failures, ...next } = backoff.failed()
      // The database has its own line for all of them.
      if (isLogged && databaseFailure(error) === undefined) {
        isTold = true
        ctx.log.error({ err: error, loop: name, failures }, 'background task failed')
      }
      ;({ pause_ms } = next)
    }
    await sleep(pause_ms, undefined, { signal }).catch(() => {
      // Aborted while waiting.
    })
  }
}
