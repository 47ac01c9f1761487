import type { Counter } from 'prom-client'

/** In seconds, as OpenTelemetry recommends for HTTP durations. */
export const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** Gives every value of a label its series from the start: an alert on `increase()` would miss the event with which a series appears. */
export function startAtZero<Label extends string>(
  counter: Counter<Label>,
  label: Label,
  values: readonly string[],
): Counter<Label> {
  for (const value of values) counter.labels({ [label]: value } as Record<Label, string>).inc(0)
  return counter
}
