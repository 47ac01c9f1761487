export { batchRows, oneOf } from './batch-rows.ts'
export {
  type ChangeVersion,
  type Moment,
  changeVersion,
  queryWithMoment,
} from './change-version/query-moment.ts'
export { validatedCache } from './change-version/validated-cache.ts'
export { coalesce, coalescePerTarget } from './coalesce.ts'
export { createDatabase, databaseUrl, defaultPort, findServer } from './connection/find-server.ts'
export { TransactionPoolingError, requireSessions } from './connection/require-sessions.ts'
export { requireSpace, requireWritable, requireWritableWithSpace } from './connection/require-writable.ts'
export {
  connectionLost,
  explainUnreachable,
  failedBeforeCommit,
  isDiskFull,
  isDuplicate,
  isForeignStatement,
  isMovingTenant,
  isTemporary,
  serverUnavailable,
  timedOut,
} from './failures.ts'
export { type DayGroup, groupByDay, onOneDay } from './group-by-day.ts'
export { nilUuid } from './nil-uuid.ts'
export { type Connection, type Database, type Db, openDatabase } from './open.ts'
export { readClock } from './read-clock.ts'
export { reportClock, reportClockInterval_ms } from './report-clock.ts'
export { type DatabaseFacts, inspectDatabase } from './schema/inspect.ts'
export {
  NewerSchemaError,
  PendingMigrationsError,
  migrate,
  pendingMigrations,
  requireMigrated,
  unknownMigrations,
} from './schema/migrate.ts'
export { dropPartition, makePartitionsAhead, partitionDays } from './schema/partitions.ts'
export { type Table, declaredTables, tables } from './schema/tables.ts'
export { tokenBucket } from './token-bucket.ts'
export { walkDays } from './walk-days.ts'
export { heartbeatInterval_ms, readHeartbeatAge, recordHeartbeat } from './worker-heartbeat.ts'
