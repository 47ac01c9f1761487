export type FailedAttempt = {
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
