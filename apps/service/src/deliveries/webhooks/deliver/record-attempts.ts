import type { Context } from '../../../engine/context.ts'
import type { Database, Db } from '../../../engine/db/index.ts'
import type { LedgerNote } from '../../../engine/ledger/index.ts'
import { type Span, runShared, tracing } from '../../../engine/observability/index.ts'
import { type ClaimedEvent, type QueuedEvent, type WebhookEvent, eventKey } from '../event.ts'
import { excerptText } from '../log/describe-delivery.ts'
import { describeOutcome } from '../log/describe-outcome.ts'
import type { SentOutcome } from './attempt.ts'
import { openPause } from './pause.ts'
import { maxSenders } from './allocate-senders.ts'
import { type Attempt, findFinished, lockFinishing, recordAttempts } from './queue-store.ts'

/** `concluded`: an attempt without HTTP, because it was a mail, or because the endpoint is disabled. It has its own delays. */
export type FinishedAttempt =
  | SentOutcome
  | {
      outcome: 'concluded'
      delivered: boolean
      error: string | null
      duration_ms: number
      backoff_seconds: readonly number[]
    }

/**
 * Called in the transaction that logs the attempts, with events whose results must now be deleted (RET-3): of a verification of which
 * every receiver has acknowledged, or was tried for the last time while another acknowledged.
 */
export type OnDelivered = (tx: Db, events: readonly WebhookEvent[]) => Promise<void>

/** `openCount` is the number of attempts in progress, this one included. */
export type AttemptRecorder = (
  event: QueuedEvent,
  finished: FinishedAttempt,
  openCount?: number,
) => Promise<Attempt>

const maxBatch = 256

/** How long a finished attempt waits for others in progress to be recorded with it, unless as many as `enough` have finished. Without `enough`, a tenth fewer were delivered. */
const gather_ms = 10
const enough = maxSenders.host

type FinishedEvent = { event: QueuedEvent; attempt: Attempt }

type RecordCall = FinishedEvent & {
  span: Span | undefined
  resolve: (attempt: Attempt) => void
  reject: (error: unknown) => void
}

/**
 * Logs finished attempts and schedules the next ones, many in one statement, and one statement at a time. What is recorded
 * together is also replaced by one claim, so the size of these batches decides the cost of a delivery. The number of senders
 * bounds how many wait.
 */
export function openAttemptRecorder(
  { config, db, ledger }: Pick<Context, 'config' | 'db' | 'ledger'>,
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
        await runShared(calls, () => recordBatch(db, calls, onDelivered))
        const delivered = verificationsOf(calls, ({ attempt }) => attempt.outcome === 'delivered')
        ledger.note(delivered.map(toDeliveredNote))
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
      waiting.push({ event, attempt, span: tracing.tracer?.active(), resolve, reject })
      open = openCount
      if (isGathered()) gathering.end()
      if (isRunning) return
      isRunning = true
      setImmediate(() => void recordWaiting())
    })
}

function verificationsOf(
  finished: readonly FinishedEvent[],
  isWanted: (one: FinishedEvent) => boolean,
): ClaimedEvent[] {
  return finished.flatMap((one) => (one.event.kind === 'verification' && isWanted(one) ? [one.event] : []))
}

/** After a restore, an event that the queue still has is not sent again if the ledger has this note. */
function toDeliveredNote(event: WebhookEvent): LedgerNote {
  return { kind: 'delivered', day: event.verification_day, id: eventKey(event) }
}

async function recordBatch(
  db: Database,
  calls: readonly FinishedEvent[],
  onDelivered: OnDelivered,
): Promise<void> {
  const attempts = calls.map(({ attempt }) => attempt)
  const events = verificationsOf(calls, ({ attempt }) => attempt.wait_seconds === null).filter(
    ({ forget_on_delivery }) => forget_on_delivery,
  )
  if (events.length === 0) {
    await recordAttempts(db, attempts)
    return
  }
  await db.transaction(async (tx) => {
    await lockFinishing(
      tx,
      events.map(({ verification_id }) => verification_id),
    )
    const recorded = new Set((await recordAttempts(tx, attempts)).map(eventKey))
    const finished = await findFinished(
      tx,
      events.filter((event) => recorded.has(eventKey(event))),
    )
    await onDelivered(
      tx,
      events.filter(({ verification_id }) => finished.has(verification_id)),
    )
  })
}

function toAttempt(
  event: QueuedEvent,
  finished: FinishedAttempt,
  backoff_seconds: readonly number[],
): Attempt {
  const { verification_id, endpoint_id, lease, url, failures } = event
  const key = { verification_id, endpoint_id, lease, url }
  if (finished.outcome === 'concluded') {
    const { delivered, error, duration_ms } = finished
    const delay = { failures: failures + 1, backoff_seconds: finished.backoff_seconds, now_ms: 0 }
    const wait_seconds = delivered ? null : (computeRetryDelay(delay) ?? null)
    const outcome = delivered ? 'delivered' : 'refused'
    return { ...key, outcome, status: null, duration_ms, error, wait_seconds, response: null, counts: false }
  }
  const described = describeOutcome(finished)
  const delay_seconds =
    described.outcome === 'delivered'
      ? undefined
      : computeRetryDelay({
          failures: failures + 1,
          backoff_seconds,
          retry_after: finished.outcome === 'responded' ? finished.headers.retry_after : undefined,
          now_ms: Date.parse(finished.sent_at ?? ''),
        })
  const response = finished.outcome === 'responded' ? excerptText(finished.body) : undefined
  return {
    ...key,
    ...described,
    wait_seconds: delay_seconds ?? null,
    response: response ?? null,
    counts: true,
  }
}

type FailedAttempt = {
  /** Failed attempts so far, including this one. */
  failures: number
  /** The delays between attempts: one fewer than there are attempts. */
  backoff_seconds: readonly number[]
  /** The receiver's `Retry-After`: seconds, or a date. */
  retry_after?: string | undefined
  /** The time of the attempt, for a `Retry-After` that is a date. */
  now_ms: number
}

/** Each delay varies by a fifth either way, so that attempts that failed together are not retried together. */
const jitter = 0.2

/**
 * The delay before the next attempt in seconds, or undefined after the last one (HOOK-6). `Retry-After` can extend the delay
 * to at most twice its length.
 */
export function computeRetryDelay(
  attempt: FailedAttempt,
  random: () => number = Math.random,
): number | undefined {
  const delay = attempt.backoff_seconds[attempt.failures - 1]
  if (delay === undefined) return undefined
  const jittered = delay * (1 - jitter + 2 * jitter * random())
  return Math.max(jittered, Math.min(readRetryAfter(attempt), 2 * delay))
}

/** `Retry-After` in seconds (RFC 9110 §10.2.3), 0 if absent or malformed. */
function readRetryAfter({ retry_after = '', now_ms }: FailedAttempt): number {
  if (/^\d{1,9}$/.test(retry_after)) return Number(retry_after)
  const date_ms = /^\w{3,9},? /.test(retry_after) ? Date.parse(retry_after) : Number.NaN
  return Number.isNaN(date_ms) ? 0 : (date_ms - now_ms) / 1000
}
