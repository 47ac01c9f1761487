/** How long a statement may run on the server. */
export const statementTimeout_ms = 5000
/** How long a statement may wait for a lock. */
export const lockTimeout_ms = 3000
/** How long a transaction may do nothing. */
export const idleInTransactionTimeout_ms = 5000
/** How long a caller waits for a connection: for a free one of the pool, or for a new one. */
export const connectTimeout_ms = 5000
/**
 * How much longer than the server's own limit the client waits for an answer. It covers a network that swallows packets, a
 * server that is frozen, and a commit that waits for a synchronous standby, none of which ends by a limit of the server.
 */
export const responseMargin_ms = 3000
/** How long the client waits for the answer to a statement, BEGIN or COMMIT. Then it destroys the connection. */
export const queryTimeout_ms = statementTimeout_ms + responseMargin_ms
/** How long the client waits for ROLLBACK, and for the settings of a new connection. */
export const shortQueryTimeout_ms = 2000
/** How long a server that has fallen silent has to accept a new connection and answer on it. */
export const probeTimeout_ms = 2000
/** How long closing waits for connections that are in use. */
export const closeTimeout_ms = 3000
/** How long a connection is idle before TCP asks whether the peer is there, on either side. */
export const keepAlive_ms = 5000
