import {
  idleInTransactionTimeout_ms,
  keepAlive_ms,
  lockTimeout_ms,
  statementTimeout_ms,
} from './time-limits.ts'

const keepAlive_seconds = keepAlive_ms / 1000

/**
 * What every session is set to when it is opened. A statement sets it, not the start-up message: PgBouncer refuses or drops
 * `options`, and with them every time limit.
 */
export const sessionSettings = [
  `set statement_timeout = ${statementTimeout_ms}`,
  `set lock_timeout = ${lockTimeout_ms}`,
  `set idle_in_transaction_session_timeout = ${idleInTransactionTimeout_ms}`,
  `set tcp_keepalives_idle = ${keepAlive_seconds}`,
  `set tcp_keepalives_interval = ${keepAlive_seconds}`,
  'set tcp_keepalives_count = 3',
  "set timezone = 'UTC'",
  // Every statement has an index to go by, and its plan is kept: one made while a day was empty must not scan it when it is
  // full. Compiling pays for long scans only.
  'set enable_seqscan = off',
  'set jit = off',
].join(';')
