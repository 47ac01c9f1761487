import {
  idleInTransactionTimeout_ms,
  keepAlive_ms,
  lockTimeout_ms,
  statementTimeout_ms,
} from './time-limits.ts'

const keepAlive_seconds = keepAlive_ms / 1000

/**
 * The settings of every new session. They are set by a statement and not in the start-up message, because PgBouncer rejects or
 * drops `options`, and every time limit with it.
 */
export const sessionSettings = [
  `set statement_timeout = ${statementTimeout_ms}`,
  `set lock_timeout = ${lockTimeout_ms}`,
  `set idle_in_transaction_session_timeout = ${idleInTransactionTimeout_ms}`,
  `set tcp_keepalives_idle = ${keepAlive_seconds}`,
  `set tcp_keepalives_interval = ${keepAlive_seconds}`,
  'set tcp_keepalives_count = 3',
  "set timezone = 'UTC'",
  // Every statement has a usable index and a kept plan. A plan made while a day was empty must not scan the day when it is full.
  // JIT only pays off for long scans.
  'set enable_seqscan = off',
  'set jit = off',
].join(';')
