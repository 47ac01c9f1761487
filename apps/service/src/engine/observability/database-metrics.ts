import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { PoolUsage } from '../db/connection/observer.ts'
import { databaseFailures } from '../db/failures.ts'
import { durationBuckets, startAtZero } from './metric-shapes.ts'

/** What this process sees of the database, with the names that OpenTelemetry has for a client. */
export function openDatabaseMetrics(registers: Registry[]) {
  let readUsage: (() => PoolUsage) | undefined
  const connections = new Gauge({
    name: 'db_client_connection_count',
    help: 'Connections of this process to PostgreSQL that are in use or idle. Up to db_client_connection_max.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      const usage = readUsage?.()
      if (usage === undefined) return
      this.set({ state: 'used' }, usage.used)
      this.set({ state: 'idle' }, usage.idle)
    },
  })
  const max = new Gauge({
    name: 'db_client_connection_max',
    help: 'DB_POOL_SIZE: how many connections this process may have.',
    registers,
    collect() {
      this.set(readUsage?.().max ?? 0)
    },
  })
  const pending = new Gauge({
    name: 'db_client_connection_pending_requests',
    help: 'Callers that wait for a connection because all are in use.',
    registers,
    collect() {
      this.set(readUsage?.().waiting ?? 0)
    },
  })
  return {
    connections,
    max,
    pending,
    waits: new Histogram({
      name: 'db_client_connection_wait_time_seconds',
      help: 'How long callers waited for a connection.',
      buckets: durationBuckets,
      registers,
    }),
    statements: new Histogram({
      name: 'db_client_operation_duration_seconds',
      help: 'Duration of SQL statements, by the module of the program that sends them. `engine`: begin, commit and what concerns no feature.',
      labelNames: ['module'] as const,
      buckets: durationBuckets,
      registers,
    }),
    failures: startAtZero(
      new Counter({
        name: 'vidimus_database_failures_total',
        help: 'Statements that failed because of the database, by why: unreachable, pool_exhausted, no_response, connection_lost, read_only, disk_full or out_of_resources.',
        labelNames: ['failure'] as const,
        registers,
      }),
      'failure',
      databaseFailures,
    ),
    /** From now on the gauges show this pool. */
    watch: (read: () => PoolUsage) => void (readUsage = read),
  }
}
