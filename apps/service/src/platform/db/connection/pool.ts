import { Client, DatabaseError, Pool, type ClientBase, type PoolClient, type QueryResult } from 'pg'
import {
  connectionLost,
  DatabaseUnreachableError,
  QueryTimeoutError,
  serverUnavailable,
} from '../failures.ts'
import { sessionSettings } from './session-settings.ts'
import type { Statement } from '../sql.ts'
import {
  closeTimeout_ms,
  connectTimeout_ms,
  keepAlive_ms,
  probeTimeout_ms,
  queryTimeout_ms,
  shortQueryTimeout_ms,
} from './time-limits.ts'
import { valueParsers } from './value-parsers.ts'

export type PoolOptions = { url: string; poolSize: number; applicationName: string }

export type ConnectionPool = {
  /** Takes a connection. Throws DatabaseUnreachable when none can be had in time. */
  acquire(): Promise<PooledConnection>
  close(): Promise<void>
}

export type PooledConnection = {
  /** Runs a statement. When no answer comes within the limit, it fails with QueryTimeLimitExceeded and the connection is destroyed. */
  query<Row extends object>(statement: Statement | string, limit_ms?: number): Promise<QueryResult<Row>>
  /** Gives the connection back. After an error that spoils it, it is dropped. */
  release(error?: unknown): void
  /** Ends the connection without waiting for the server. */
  destroy(): void
  onLost(listener: () => void): void
}

/** Old connections are dropped at most this often: a server that stays read-only must not be flooded with new ones. */
const retireInterval_ms = 1000

/**
 * A pool of connections on which every wait ends on our side. When the server falls silent or turns read-only, every
 * connection that was opened before is dropped instead of used again: it leads to a server that is gone or was demoted.
 * After a silence, callers share one short attempt to reach the server before they queue for connections.
 */
export function openPool({ url, poolSize, applicationName }: PoolOptions): ConnectionPool {
  const client = {
    connectionString: url,
    application_name: applicationName,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAlive_ms,
    types: valueParsers,
  }
  const connections = new Set<ClientBase>()
  const generations = new WeakMap<ClientBase, number>()
  /** Connections of an earlier generation are not used any more. */
  let generation = 0
  let retiredAt_ms = Number.NEGATIVE_INFINITY
  let isUnresponsive = false
  let probe: Promise<void> | undefined

  const pool = new Pool({
    ...client,
    max: poolSize,
    connectionTimeoutMillis: connectTimeout_ms,
    idleTimeoutMillis: 30_000,
    // A connection keeps the plans of the days it has seen.
    maxLifetimeSeconds: 3600,
    // Before a new connection is handed out.
    verify: (opened, verified) => {
      queryWithTimeout(opened, sessionSettings, shortQueryTimeout_ms)
        .then(() => generations.set(opened, generation))
        .then(() => verified(), verified)
    },
  })
  pool.on('connect', (opened) => {
    connections.add(opened)
    opened.on('error', () => {
      // Idle or between two statements: the next statement fails. Without a listener the process would end.
    })
  })
  pool.on('error', () => {
    // An idle connection broke; the pool has removed it.
  })
  pool.on('remove', (removed) => connections.delete(removed))

  async function acquire(): Promise<PooledConnection> {
    try {
      if (isUnresponsive) await (probe ??= probeServer().finally(() => (probe = undefined)))
      for (;;) {
        const pooled = await pool.connect()
        if (generations.get(pooled) === generation) return connectionOf(pooled)
        discard(pooled)
      }
    } catch (error) {
      if (error instanceof QueryTimeoutError || isConnectTimeout(error))
        retireConnections({ isUnresponsive: true })
      throw new DatabaseUnreachableError('no connection to PostgreSQL could be had', { cause: error })
    }
  }

  async function probeServer(): Promise<void> {
    const probeClient = new Client({ ...client, connectionTimeoutMillis: probeTimeout_ms })
    probeClient.on('error', () => {
      // Told by connect() or query() already.
    })
    try {
      await probeClient.connect()
      // A pooler may accept for a server that does not answer.
      await queryWithTimeout(probeClient, 'select 1', probeTimeout_ms)
      isUnresponsive = false
    } finally {
      streamOf(probeClient).destroy()
    }
  }

  function retireConnections(seen: { isUnresponsive: boolean }): void {
    isUnresponsive ||= seen.isUnresponsive
    const now = performance.now()
    if (now - retiredAt_ms < retireInterval_ms) return
    retiredAt_ms = now
    generation += 1
  }

  function connectionOf(pooled: PoolClient): PooledConnection {
    return {
      async query<Row extends object>(statement: Statement | string, limit_ms = queryTimeout_ms) {
        try {
          return await queryWithTimeout<Row>(pooled, statement, limit_ms)
        } catch (error) {
          if (error instanceof QueryTimeoutError) retireConnections({ isUnresponsive: true })
          else if (serverUnavailable(error)) retireConnections({ isUnresponsive: false })
          throw error
        }
      },
      release(error) {
        if (error === undefined || isStatementError(error)) pooled.release()
        else discard(pooled)
      },
      destroy: () => discard(pooled),
      onLost(listener) {
        pooled.on('error', listener)
        pooled.once('end', listener)
      },
    }
  }

  return {
    acquire,
    async close() {
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(() => {
        for (const connection of connections) streamOf(connection).destroy()
        late.resolve()
      }, closeTimeout_ms)
      await Promise.race([pool.end(), late.promise])
      // An idle connection stays open until the server closes it too, and keeps the process: the timer ends that.
      timer.unref()
    },
  }
}

/** Runs a statement with an end: destroying the stream fails the statement, and whatever waits behind it on the connection. */
async function queryWithTimeout<Row extends object>(
  client: ClientBase,
  statement: Statement | string,
  limit_ms: number,
): Promise<QueryResult<Row>> {
  const giveUp = () =>
    streamOf(client).destroy(new QueryTimeoutError(`PostgreSQL did not answer within ${limit_ms} ms`))
  let last: NodeJS.Immediate | undefined
  // An event loop that was late reads first what has arrived meanwhile.
  const timer = setTimeout(() => (last = setImmediate(giveUp)), limit_ms)
  try {
    return await client.query<Row>(statement)
  } finally {
    clearTimeout(timer)
    clearImmediate(last)
  }
}

function discard(client: PoolClient): void {
  client.release(true)
  // Releasing says goodbye and waits for the server to close. This one may never do so.
  streamOf(client).destroy()
}

function streamOf(client: ClientBase) {
  // Every client of the pool is a Client; the types of the pool's hooks know the base only.
  return (client as Client).connection.stream
}

/** The statement failed and the session goes on. */
function isStatementError(error: unknown): boolean {
  return error instanceof DatabaseError && !connectionLost(error) && !serverUnavailable(error)
}

/** The server did not answer a new connection. Waiting for a free one of the pool fails in other words. */
function isConnectTimeout(error: unknown): boolean {
  return error instanceof Error && /due to connection timeout|timeout expired/.test(error.message)
}
