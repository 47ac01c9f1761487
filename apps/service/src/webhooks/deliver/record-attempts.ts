import type { Context } from '../../context.ts'
import { coalesce } from '../../platform/coalesce.ts'
import type { Db } from '../../platform/db/open.ts'
import type { AttemptOutcome } from './attempt.ts'
import { describeOutcome } from '../log/describe-outcome.ts'
import { computeRetryDelay } from './retry-schedule.ts'
import type { ClaimedEvent, WebhookEvent } from '../event.ts'
import { recordAttempts, type Attempt } from '../store.ts'

type FinishedAttempt = Exclude<AttemptOutcome, { outcome: 'gone' | 'left_alone' | 'no_line' }>

/** Is told, in the transaction that logs it, which of the events that are to be forgotten then were acknowledged. */
export type OnDelivered = (tx: Db, events: readonly WebhookEvent[]) => Promise<void>

export type AttemptRecorder = (event: ClaimedEvent, ended: FinishedAttempt) => Promise<Attempt>

const bounds = { maxBatch: 256, maxWaiting: 10_000 }

type RecordCall = { event: ClaimedEvent; attempt: Attempt }

/** Writes what became of attempts and when the next are due, many in one statement. */
export function openAttemptRecorder(
  { config, db }: Pick<Context, 'config' | 'db'>,
  onDelivered: OnDelivered,
): AttemptRecorder {
  const record = coalesce<RecordCall, Attempt>({
    ...bounds,
    async run(calls) {
      const attempts = calls.map(({ attempt }) => attempt)
      const forgettable = calls.filter(
        ({ event, attempt }) => event.forget_on_delivery && attempt.outcome === 'delivered',
      )
      if (forgettable.length === 0) await recordAttempts(db, attempts)
      else {
        await db.transaction(async (tx) => {
          const mine = new Set((await recordAttempts(tx, attempts)).map(({ session_id }) => session_id))
          const delivered = forgettable
            .map(({ event }) => event)
            .filter(({ session_id }) => mine.has(session_id))
          await onDelivered(tx, delivered)
        })
      }
      return attempts
    },
  })
  return (event, ended) => record({ event, attempt: toAttempt(event, ended, config.WEBHOOK_BACKOFF_SECONDS) })
}

function toAttempt(event: ClaimedEvent, ended: FinishedAttempt, backoff_seconds: readonly number[]): Attempt {
  const { session_id, lease, failures } = event
  const became = describeOutcome(ended)
  const wait =
    became.outcome === 'delivered'
      ? undefined
      : computeRetryDelay({
          failures: failures + 1,
          backoff_seconds,
          retry_after: ended.outcome === 'answered' ? ended.headers.retry_after : undefined,
          now_ms: Date.parse(ended.sent_at ?? ''),
        })
  return { session_id, lease, ...became, wait_seconds: wait ?? null }
}
