/** How long a statement may run on the server. */
export const statementTimeout_ms = 5000
/** How long a statement may wait for a lock. */
export const lockTimeout_ms = 3000
/** How long a transaction may be idle. */
export const idleInTransactionTimeout_ms = 5000
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
/** How long a connection is idle before either side sends TCP keep-alive probes. */
export const keepAlive_ms = 5000
