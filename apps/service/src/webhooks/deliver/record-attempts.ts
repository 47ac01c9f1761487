import type { Context } from '../../context.ts'
import { coalesce } from '../../platform/coalesce.ts'
import type { Db } from '../../platform/db/open.ts'
import type { AttemptOutcome } from './attempt.ts'
import { describeOutcome } from '../log/describe-outcome.ts'
import { computeRetryDelay } from './retry-schedule.ts'
import type { ClaimedEvent, WebhookEvent } from '../event.ts'
import { recordAttempts, type Attempt } from './queue-store.ts'

type FinishedAttempt = Exclude<AttemptOutcome, { outcome: 'gone' | 'not_sent' | 'no_slot' }>

/** Called in the transaction that logs the attempts, with the acknowledged events whose results must now be deleted (RET-3). */
export type OnDelivered = (tx: Db, events: readonly WebhookEvent[]) => Promise<void>

export type AttemptRecorder = (event: ClaimedEvent, finished: FinishedAttempt) => Promise<Attempt>

const bounds = { maxBatch: 256, maxWaiting: 10_000 }

type RecordCall = { event: ClaimedEvent; attempt: Attempt }

/** Logs finished attempts and schedules the next ones, many in one statement. */
export function openAttemptRecorder(
  { config, db }: Pick<Context, 'config' | 'db'>,
  onDelivered: OnDelivered,
): AttemptRecorder {
  const record = coalesce<RecordCall, Attempt>({
    ...bounds,
    async run(calls) {
      const attempts = calls.map(({ attempt }) => attempt)
      const acknowledged = calls.filter(
        ({ event, attempt }) => event.forget_on_delivery && attempt.outcome === 'delivered',
      )
      if (acknowledged.length === 0) await recordAttempts(db, attempts)
      else {
        await db.transaction(async (tx) => {
          const recorded = new Set((await recordAttempts(tx, attempts)).map(({ session_id }) => session_id))
          const delivered = acknowledged
            .map(({ event }) => event)
            .filter(({ session_id }) => recorded.has(session_id))
          await onDelivered(tx, delivered)
        })
      }
      return attempts
    },
  })
  return (event, finished) =>
    record({ event, attempt: toAttempt(event, finished, config.WEBHOOK_BACKOFF_SECONDS) })
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
