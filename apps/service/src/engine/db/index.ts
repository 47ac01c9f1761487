export { type DayGroup, batchRows, groupByDay, onOneDay, oneOf, walkDays } from './days.ts'
export { type ChangeVersion, type AsOf, changeVersion, queryWithAsOf } from './change-version/query-as-of.ts'
export { validatedCache } from './change-version/validated-cache.ts'
export { coalesce, coalescePerTarget } from './coalesce.ts'
export { createDatabase, databaseUrl, defaultPort, findServer } from './connection/find-server.ts'
export {
  TransactionPoolingError,
  requireSessions,
  requireSpace,
  requireWritable,
  requireWritableWithSpace,
} from './connection/require-sessions.ts'
export {
  connectionLost,
  databaseFailure,
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
export { observeDatabase } from './observe-database.ts'
export { nilUuid } from './nil-uuid.ts'
export { type Connection, type Database, type Db, openDatabase } from './open.ts'
export {
  type LoopState,
  heartbeatInterval_ms,
  readClock,
  readHeartbeatAge,
  readLoops,
  recordHeartbeat,
  reportClock,
  reportClockInterval_ms,
} from './clock.ts'
export { type DatabaseFacts, inspectDatabase, readDataFolder, readDatabaseSize } from './schema/inspect.ts'
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
