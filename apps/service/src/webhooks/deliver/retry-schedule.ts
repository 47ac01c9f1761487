/** What the schedule needs to know of the attempt that failed. */
export type FailedAttempt = {
  /** Failed attempts so far, this one included. */
  failures: number
  /** The waits between attempts; one attempt more than there are waits is made. */
  backoff_seconds: readonly number[]
  /** The receiver's `Retry-After`: seconds, or a date. */
  retry_after?: string | undefined
  /** Of the attempt, for a `Retry-After` that is a date. */
  now_ms: number
}

/** A fifth more or less, so that what failed together does not come back together. */
const jitter = 0.2

/**
 * How long to wait before the next attempt, or undefined when there is none (HOOK-6). A receiver that asks for more time
 * gets it, up to twice the wait.
 */
export function computeRetryDelay(
  attempt: FailedAttempt,
  random: () => number = Math.random,
): number | undefined {
  const wait = attempt.backoff_seconds[attempt.failures - 1]
  if (wait === undefined) return undefined
  const spread = wait * (1 - jitter + 2 * jitter * random())
  return Math.max(spread, Math.min(readRetryAfter(attempt), 2 * wait))
}

/** RFC 9110 §10.2.3. What cannot be read asks for nothing. */
function readRetryAfter({ retry_after = '', now_ms }: FailedAttempt): number {
  if (/^\d{1,9}$/.test(retry_after)) return Number(retry_after)
  const date_ms = /^\w{3,9},? /.test(retry_after) ? Date.parse(retry_after) : Number.NaN
  return Number.isNaN(date_ms) ? 0 : (date_ms - now_ms) / 1000
}
