const tick_ms = 20
/** Of each tick's delay this much enters the average: one pause of garbage collection sheds nothing, a busy second does. */
const smoothing = 0.2
/** No single delay counts for more: a pause, however long, is over when it is seen. */
const maxDelay_ms = 1200
export const pressureLimits = {
  first: { delay_ms: 250, active: 5000 },
  last: { delay_ms: 1000, active: 10_000 },
}

export type Pressure = {
  /** Whether a request has to be turned away now. */
  exceeds(which: 'first' | 'last'): boolean
  /** Counts the requests that are under way. */
  enter(): void
  leave(): void
} & Disposable

/** Watches how late the event loop runs its timers, and how much is under way. Late for everyone is worse than no for some. */
export function watchPressure(): Pressure {
  const { recordDelay, exceeds, enter, leave } = createPressureGauge()
  let due = performance.now() + tick_ms
  const timer = setInterval(() => {
    const now = performance.now()
    recordDelay(Math.max(0, now - due))
    due = now + tick_ms
  }, tick_ms)
  timer.unref()
  return { exceeds, enter, leave, [Symbol.dispose]: () => clearInterval(timer) }
}

export function createPressureGauge() {
  let delay_ms = 0
  let active = 0
  return {
    /** Takes in by how much a tick was late. */
    recordDelay: (ms: number) => void (delay_ms += smoothing * (Math.min(ms, maxDelay_ms) - delay_ms)),
    exceeds: (which: 'first' | 'last') =>
      delay_ms > pressureLimits[which].delay_ms || active > pressureLimits[which].active,
    enter: () => void (active += 1),
    leave: () => void (active -= 1),
  }
}
