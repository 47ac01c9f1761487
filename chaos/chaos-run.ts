/** The result of a chaos run. Every acknowledged write must be there exactly once: the run fails unless `lost` and `duplicated` are 0. */
export type ChaosReport = {
  name: string
  faults: number
  acknowledged: number
  lost: number
  duplicated: number
  /** How many duplicates are allowed; none if absent. */
  duplicates_allowed?: number
  /** If the run has a time limit: the measured 99th percentile and the limit. */
  p99_ms?: number
  p99_allowed_ms?: number
  /** What `lost` and `duplicated` are made of, if there is more than one kind. */
  contradictions?: Record<string, number>
  /** Under load: all requests, the slowest response, and the time without service per fault beside what the fault's settings allow at best. */
  requests?: number
  slowest_s?: number
  unavailable_s?: { median: number; worst: number; floor: number }
}

/** A chaos run. `n` is its size: tests use a small one, `npm run chaos` the full size. */
export type ChaosRun = (options: { n?: number }) => Promise<ChaosReport>
