import type { sizedTables } from '../mixed/sizes.ts'

/** What the model cannot measure on one machine. Each is stated in docs/operate/scale.md. */
export type Assumptions = {
  /** The peak divided by the average. */
  peak_factor: number
  /** The share of a vCPU that may be used at the peak. */
  utilisation: number
  standbys: number
  /** vCPUs of the largest database server. */
  database_vcpus: number
  max_wal_mb_per_second: number
  max_disk_tb: number
  /** Disk space that is kept free, as a share of what is stored. */
  free_disk: number
  pool_size: number
  /** For how many days a table keeps what it has of a verification. */
  kept_days: Record<(typeof sizedTables)[number], number>
}

export const assumptions: Assumptions = {
  peak_factor: 5,
  utilisation: 0.5,
  standbys: 2,
  database_vcpus: 32,
  max_wal_mb_per_second: 150,
  max_disk_tb: 16,
  free_disk: 0.3,
  pool_size: 10,
  kept_days: {
    verification_sessions: 400,
    // The default of a tenant; up to 400.
    verification_results: 30,
    idempotency_keys: 2,
    webhook_deliveries: 400,
    webhook_responses: 31,
    audit_texts: 400,
    // These are never dropped: the model counts the first year.
    audit_entries: 365,
    audit_heads: 365,
    request_log: 8,
  },
}
