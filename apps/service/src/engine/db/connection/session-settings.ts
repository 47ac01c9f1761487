import { type CustomTypesConfig, types } from 'pg'

/** How long a connection is idle before either side sends TCP keep-alive probes. */
export const keepAlive_ms = 5000

const keepAlive_seconds = keepAlive_ms / 1000

/** How long a statement may run on the server. */
export const statementTimeout_ms = 5000
/** How long a statement may wait for a lock. */
export const lockTimeout_ms = 3000
/** How long a transaction may be idle. */
export const idleInTransactionTimeout_ms = 5000

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
  // Every statement has a usable index and a kept plan. A plan made while a day was empty must not scan the day when it is full:
  // a lookup among 40,000 rows then took 18.8 ms instead of 0.05.
  // JIT only pays off for long scans.
  'set enable_seqscan = off',
  'set jit = off',
].join(';')

/** How long a caller waits for a free or a new connection. */
export const connectTimeout_ms = 5000
/**
 * How much longer than the server's own limit the client waits for a response. It covers a network that drops packets, a
 * frozen server, and a commit that waits for a synchronous standby: the server's limits end none of these.
 */
export const responseMargin_ms = 3000
/** How long the client waits for the response to a statement, BEGIN or COMMIT. Then it destroys the connection. */
export const queryTimeout_ms = statementTimeout_ms + responseMargin_ms
/** How long the client waits for ROLLBACK, and for the settings of a new connection. */
export const shortQueryTimeout_ms = 2000
/** How long an unresponsive server has to accept a new connection and respond on it. */
export const probeTimeout_ms = 2000
/** How long closing the pool waits for connections in use. */
export const closeTimeout_ms = 3000

const { builtins } = types

/**
 * How the driver parses values. Times stay text, because a JavaScript Date drops the microseconds that paging relies on;
 * they get the form in which they are published (GEN-2). Counters are numbers: none of ours comes near 2^53.
 */
const customParsers = new Map<number, (text: string) => unknown>([
  [builtins.TIMESTAMPTZ, isoTime],
  [builtins.DATE, (text) => text],
  [builtins.INT8, Number],
])

export const valueParsers: CustomTypesConfig = {
  getTypeParser(type, format) {
    return customParsers.get(type) ?? types.getTypeParser(type, format)
  },
}

/** `2026-01-15 12:00:00.5+00` becomes `2026-01-15T12:00:00.500000Z`. The connection's time zone is UTC. */
function isoTime(text: string): string {
  const [seconds = '', fraction = ''] = text.slice(0, -'+00'.length).split('.')
  return `${seconds.replace(' ', 'T')}.${fraction.padEnd(6, '0')}Z`
}
