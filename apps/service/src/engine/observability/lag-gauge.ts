import { Gauge, type Registry } from 'prom-client'

export type LagGauge = { set(lag_seconds: number): void }

type LagGaugeOptions = {
  name: string
  help: string
  registers: Registry[]
  now_ms?: () => number
}

/** A measurement older than this counts as missing. */
const stale_ms = 15_000

/**
 * How long something has waited, as a loop measures it. If the loop no longer measures, the value grows with the time since the last
 * measurement instead of staying what it was. There is no value until the first one: most processes never measure.
 */
export function openLagGauge(options: LagGaugeOptions): LagGauge {
  const { now_ms = () => performance.now(), ...described } = options
  let measured: { lag_seconds: number; at_ms: number } | undefined
  const gauge = new Gauge({
    ...described,
    collect() {
      if (measured === undefined) return
      const age_ms = now_ms() - measured.at_ms
      this.set(measured.lag_seconds + (age_ms > stale_ms ? age_ms / 1000 : 0))
    },
  })
  gauge.remove()
  return { set: (lag_seconds) => void (measured = { lag_seconds, at_ms: now_ms() }) }
}
