const tick_ms = 20
/** Without requests and without delay, ticks are rare, so that an idle process uses next to no CPU time. */
const idleTick_ms = 500
/** The weight of each tick in the moving average: one garbage-collection pause sheds nothing, a busy second does. */
const smoothing = 0.2
/** A single delay counts for at most this much: a pause is already over when it is measured. */
const maxDelay_ms = 1200
export const pressureLimits = {
  first: { delay_ms: 250, active: 5000 },
  last: { delay_ms: 1000, active: 10_000 },
}

export type Pressure = {
  /** Whether a request must be refused now. */
  exceeds(which: 'first' | 'last'): boolean
  /** Counts the requests in progress. */
  enter(): void
  leave(): void
} & Disposable

/** Measures how late the event loop runs its timers and how many requests are in progress. */
export function watchPressure(): Pressure {
  const { recordDelay, isIdle, exceeds, enter, leave } = createPressureGauge()
  let timer = schedule()

  function schedule(): NodeJS.Timeout {
    const wait_ms = isIdle() ? idleTick_ms : tick_ms
    const due = performance.now() + wait_ms
    return setTimeout(() => {
      recordDelay(Math.max(0, performance.now() - due))
      timer = schedule()
    }, wait_ms).unref()
  }
  return { exceeds, enter, leave, [Symbol.dispose]: () => clearTimeout(timer) }
}

export function createPressureGauge() {
  let delay_ms = 0
  let active = 0
  return {
    /** Records by how much a tick was late. */
    recordDelay: (ms: number) => void (delay_ms += smoothing * (Math.min(ms, maxDelay_ms) - delay_ms)),
    /** Nothing is in progress, and the last ticks were on time. */
    isIdle: () => active === 0 && delay_ms < 1,
    exceeds: (which: 'first' | 'last') =>
      delay_ms > pressureLimits[which].delay_ms || active > pressureLimits[which].active,
    enter: () => void (active += 1),
    leave: () => void (active -= 1),
  }
}
