/** A loop that is overdue by more than this makes its process not ready. */
export const maxOverdue_seconds = 120

export type LoopProgress = {
  /** Registers a loop that should succeed once in every interval. Until its first success it is measured from now on. */
  add(loop: string, interval_ms: number): void
  /** Records that a run of the loop succeeded, or that a run that takes long did something. */
  succeeded(loop: string): void
  /** By how many seconds each loop is later than its interval; 0 if it is in time. */
  overdue(): Map<string, number>
  /** Those that ever succeeded, and how long ago. */
  succeededAgo(): { name: string; interval_seconds: number; age_seconds: number }[]
}

/** When each background loop of this process last succeeded. Read at any time, so that a loop that hangs or fails is seen. */
export function openLoopProgress(now_ms: () => number = () => performance.now()): LoopProgress {
  const loops = new Map<string, { interval_ms: number; succeeded_ms: number; ever: boolean }>()
  return {
    add: (loop, interval_ms) => void loops.set(loop, { interval_ms, succeeded_ms: now_ms(), ever: false }),
    succeeded(loop) {
      const found = loops.get(loop)
      if (found !== undefined) Object.assign(found, { succeeded_ms: now_ms(), ever: true })
    },
    overdue() {
      const overdueOf = ({ interval_ms, succeeded_ms }: { interval_ms: number; succeeded_ms: number }) =>
        Math.max(0, now_ms() - succeeded_ms - interval_ms) / 1000
      return new Map(Array.from(loops, ([loop, progress]) => [loop, overdueOf(progress)]))
    },
    succeededAgo() {
      return Array.from(loops).flatMap(([name, { interval_ms, succeeded_ms, ever }]) =>
        ever
          ? [{ name, interval_seconds: interval_ms / 1000, age_seconds: (now_ms() - succeeded_ms) / 1000 }]
          : [],
      )
    },
  }
}
