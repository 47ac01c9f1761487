/** Short enough that a worker continues within two seconds after a failover. */
export const maxRetry_ms = 1500
const firstRetry_ms = 200
/** A loop that keeps failing logs one line in this time. */
export const failureLogInterval_ms = 30_000

type LoopBackoff = {
  /** `failures` are those since the last success. */
  failed(): { pause_ms: number; isLogged: boolean; failures: number }
  /** Returns how many runs had failed before. */
  succeeded(): number
}

/**
 * When a loop that fails runs next: after a delay that doubles, with a random part so that loops and workers that failed together do
 * not return together, and never earlier than its usual interval.
 */
export function openLoopBackoff(
  interval_ms: number,
  { now_ms = () => performance.now(), random = Math.random } = {},
): LoopBackoff {
  let failures = 0
  let loggedAt_ms = Number.NEGATIVE_INFINITY
  return {
    failed() {
      failures += 1
      const delay_ms = Math.min(maxRetry_ms, firstRetry_ms * 2 ** (failures - 1)) * (0.5 + random() / 2)
      const isLogged = now_ms() - loggedAt_ms >= failureLogInterval_ms
      if (isLogged) loggedAt_ms = now_ms()
      return { pause_ms: Math.max(interval_ms, delay_ms), isLogged, failures }
    },
    succeeded() {
      const before = failures
      failures = 0
      return before
    },
  }
}

/** Runs a task repeatedly with a pause in between until disposed of, never twice at once. A failed run does not stop the next. */
export function runEvery(
  pause_ms: number,
  task: () => Promise<unknown>,
  onError: (error: unknown) => void,
): Disposable {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const schedule = () => {
    if (!stopped) timer = setTimeout(() => void task().catch(onError).finally(schedule), pause_ms).unref()
  }
  schedule()
  return {
    [Symbol.dispose]() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
