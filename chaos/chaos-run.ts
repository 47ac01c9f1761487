/** What a fault run found. Every acknowledged fact must be there once: `lost` and `duplicated` are 0, or the run failed. */
export type ChaosReport = {
  name: string
  faults: number
  acknowledged: number
  lost: number
  duplicated: number
  /** Where a fact may be told twice, how often: not at all when absent. */
  duplicates_allowed?: number
  /** Where time counts: how long it took at the 99th percentile, and how long it may take. */
  p99_ms?: number
  p99_allowed_ms?: number
}

/** A fault run. `n` scales it: the tests run a small one, `npm run chaos` the full size. */
export type ChaosRun = (options: { n?: number }) => Promise<ChaosReport>
