import type { Context } from '../context.ts'
import { coalesce } from '../platform/coalesce.ts'
import type { Db } from '../platform/db/open.ts'
import type { AttemptOutcome } from './attempt.ts'
import { waitAfter } from './schedule.ts'
import type { ClaimedEvent, WebhookEvent } from './event.ts'
import { recordAttempts, type Attempt } from './store.ts'

type Ended = Exclude<AttemptOutcome, { outcome: 'gone' | 'left_alone' }>

/** Is told, in the transaction that logs it, which of the events that are to be forgotten then were acknowledged. */
export type OnDelivered = (tx: Db, events: readonly WebhookEvent[]) => Promise<void>

export type Recorder = (event: ClaimedEvent, ended: Ended) => Promise<Attempt>

const bounds = { maxBatch: 256, maxWaiting: 10_000 }

type Call = { event: ClaimedEvent; attempt: Attempt }

/** Writes what became of attempts and when the next are due, many in one statement. */
export function openRecorder(
  { config, db }: Pick<Context, 'config' | 'db'>,
  onDelivered: OnDelivered,
): Recorder {
  const record = coalesce<Call, Attempt>({
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

function toAttempt(event: ClaimedEvent, ended: Ended, backoff_seconds: readonly number[]): Attempt {
  const { session_id, lease, failures } = event
  const { duration_ms } = ended
  const answered = ended.outcome === 'answered' ? ended : undefined
  const status = answered?.status ?? null
  // A 2xx is success (HOOK-6). Redirects are not followed, so a 3xx is none (HOOK-4).
  if (status !== null && status >= 200 && status < 300) {
    return { session_id, lease, outcome: 'delivered', status, duration_ms, error: null, wait_seconds: null }
  }
  const wait = waitAfter({
    failures: failures + 1,
    backoff_seconds,
    retry_after: answered?.headers.retry_after,
    now_ms: Date.parse(ended.sent_at ?? ''),
  })
  const outcome = ended.outcome === 'answered' ? 'failed' : ended.outcome
  return {
    session_id,
    lease,
    outcome,
    status,
    duration_ms,
    error: wordsFor(ended),
    wait_seconds: wait ?? null,
  }
}

/** What the log shows beside the outcome: short, and never the receiver's own words (HOOK-7). */
function wordsFor(ended: Ended): string | null {
  switch (ended.outcome) {
    case 'answered':
      return `answered with status ${ended.status}`
    case 'timed_out':
      return 'no answer within 10 seconds'
    case 'refused':
      return ended.reason === 'not_http' ? 'not an http or https address' : 'the host is not a public address'
    case 'failed':
      return `${faults[ended.reason]} (${ended.code})`
  }
}

const faults = {
  name: 'the host could not be resolved',
  connection: 'the connection failed',
  tls: 'the TLS handshake failed',
  http: 'the answer was not HTTP',
}
