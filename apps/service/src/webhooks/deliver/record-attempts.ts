import type { Context } from '../../context.ts'
import type { Database, Db } from '../../platform/db/open.ts'
import type { AttemptOutcome } from './attempt.ts'
import { describeOutcome } from '../log/describe-outcome.ts'
import { openPause } from './pause.ts'
import { computeRetryDelay } from './retry-schedule.ts'
import type { ClaimedEvent, WebhookEvent } from '../event.ts'
import { recordAttempts, type Attempt } from './queue-store.ts'

type FinishedAttempt = Exclude<AttemptOutcome, { outcome: 'gone' | 'not_sent' | 'no_slot' }>

/** Called in the transaction that logs the attempts, with the acknowledged events whose results must now be deleted (RET-3). */
export type OnDelivered = (tx: Db, events: readonly WebhookEvent[]) => Promise<void>

/** `openCount` is the number of attempts in progress, this one included. */
export type AttemptRecorder = (
  event: ClaimedEvent,
  finished: FinishedAttempt,
  openCount?: number,
) => Promise<Attempt>

const maxBatch = 256

/** How long a finished attempt waits for others in progress to be recorded with it, unless as many as `enough` have finished. */
const gather_ms = 10
const enough = 16

type RecordCall = {
  event: ClaimedEvent
  attempt: Attempt
  resolve: (attempt: Attempt) => void
  reject: (error: unknown) => void
}

/**
 * Logs finished attempts and schedules the next ones, many in one statement, and one statement at a time. What is recorded
 * together is also replaced by one claim, so the size of these batches decides the cost of a delivery. The number of senders
 * bounds how many wait.
 */
export function openAttemptRecorder(
  { config, db }: Pick<Context, 'config' | 'db'>,
  onDelivered: OnDelivered,
): AttemptRecorder {
  const waiting: RecordCall[] = []
  let isRunning = false
  let open = 0
  const gathering = openPause()
  const isGathered = () => waiting.length >= Math.min(enough, open)

  async function recordWaiting(): Promise<void> {
    while (waiting.length > 0) {
      if (!isGathered()) await gathering.wait(gather_ms)
      const calls = waiting.splice(0, maxBatch)
      try {
        await recordBatch(db, calls, onDelivered)
        for (const { attempt, resolve } of calls) resolve(attempt)
      } catch (error) {
        // Each caller handles it: the event is sent again when its lease expires.
        for (const { reject } of calls) reject(error)
      }
    }
    isRunning = false
  }

  return (event, finished, openCount = 1) =>
    new Promise((resolve, reject) => {
      const attempt = toAttempt(event, finished, config.WEBHOOK_BACKOFF_SECONDS)
      waiting.push({ event, attempt, resolve, reject })
      open = openCount
      if (isGathered()) gathering.end()
      if (isRunning) return
      isRunning = true
      setImmediate(() => void recordWaiting())
    })
}

async function recordBatch(
  db: Database,
  calls: readonly Pick<RecordCall, 'event' | 'attempt'>[],
  onDelivered: OnDelivered,
): Promise<void> {
  const attempts = calls.map(({ attempt }) => attempt)
  const acknowledged = calls.filter(
    ({ event, attempt }) => event.forget_on_delivery && attempt.outcome === 'delivered',
  )
  if (acknowledged.length === 0) {
    await recordAttempts(db, attempts)
    return
  }
  await db.transaction(async (tx) => {
    const recorded = new Set((await recordAttempts(tx, attempts)).map(({ session_id }) => session_id))
    const delivered = acknowledged
      .map(({ event }) => event)
      .filter(({ session_id }) => recorded.has(session_id))
    await onDelivered(tx, delivered)
  })
}

function toAttempt(
  event: ClaimedEvent,
  finished: FinishedAttempt,
  backoff_seconds: readonly number[],
): Attempt {
  const { session_id, lease, failures } = event
  const described = describeOutcome(finished)
  const delay_seconds =
    described.outcome === 'delivered'
      ? undefined
      : computeRetryDelay({
          failures: failures + 1,
          backoff_seconds,
          retry_after: finished.outcome === 'answered' ? finished.headers.retry_after : undefined,
          now_ms: Date.parse(finished.sent_at ?? ''),
        })
  return { session_id, lease, ...described, wait_seconds: delay_seconds ?? null }
}
