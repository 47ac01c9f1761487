/** A process that ends within this time after it became ready, or before that, has ended early. */
export const stable_ms = 10_000
/** After this many in a row, and if no other process serves, the supervisor gives up. */
export const maxEarlyEnds = 5
export const restartDelay = { first_ms: 200, max_ms: 15_000 }

export type RestartPolicy = {
  /** How long to wait before a process that ended by itself is replaced, or that there is no point in it. */
  next(ended: { served_ms: number; othersServe: boolean }): number | 'give up'
}

/**
 * Replaces a crashed process at once, and one that keeps crashing after a delay that doubles. As long as another process serves, the
 * supervisor keeps trying: the reason may be a database that is away, and the service is better off with fewer processes than without any.
 */
export function openRestartPolicy(): RestartPolicy {
  let earlyEnds = 0
  return {
    next({ served_ms, othersServe }) {
      earlyEnds = served_ms >= stable_ms ? 0 : earlyEnds + 1
      if (earlyEnds >= maxEarlyEnds && !othersServe) return 'give up'
      return earlyEnds === 0 ? 0 : Math.min(restartDelay.first_ms * 2 ** (earlyEnds - 1), restartDelay.max_ms)
    },
  }
}
