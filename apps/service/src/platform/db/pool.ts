import { Client, DatabaseError, Pool, type ClientBase, type PoolClient, type QueryResult } from 'pg'
import { connectionLost, DatabaseUnreachable, QueryTimeLimitExceeded, serverUnavailable } from './failures.ts'
import { sessionSettings } from './session-settings.ts'
import type { Statement } from './sql.ts'
import { close_ms, connect_ms, keepAlive_ms, probe_ms, query_ms, shortQuery_ms } from './time-limits.ts'
import { parsers } from './types.ts'

export type OpenPool = { url: string; poolSize: number; applicationName: string }

export type ConnectionPool = {
  /** Takes a connection. Throws DatabaseUnreachable when none can be had in time. */
  take(): Promise<PooledConnection>
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
const distrustEvery_ms = 1000

/**
 * A pool of connections on which every wait ends on our side. When the server falls silent or turns read-only, every
 * connection that was opened before is dropped instead of used again: it leads to a server that is gone or was demoted.
 * After a silence, callers share one short attempt to reach the server before they queue for connections.
 */
export function openPool({ url, poolSize, applicationName }: OpenPool): ConnectionPool {
  const client = {
    connectionString: url,
    application_name: applicationName,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAlive_ms,
    types: parsers,
  }
  const connections = new Set<ClientBase>()
  const openedIn = new WeakMap<ClientBase, number>()
  /** Connections of an earlier generation are not used any more. */
  let generation = 0
  let distrustedAt = Number.NEGATIVE_INFINITY
  let silent = false
  let probe: Promise<void> | undefined

  const pool = new Pool({
    ...client,
    max: poolSize,
    connectionTimeoutMillis: connect_ms,
    idleTimeoutMillis: 30_000,
    // A connection keeps the plans of the days it has seen.
    maxLifetimeSeconds: 3600,
    // Before a new connection is handed out.
    verify: (opened, verified) => {
      bounded(opened, sessionSettings, shortQuery_ms)
        .then(() => openedIn.set(opened, generation))
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

  async function take(): Promise<PooledConnection> {
    try {
      if (silent) await (probe ??= probeServer().finally(() => (probe = undefined)))
      for (;;) {
        const taken = await pool.connect()
        if (openedIn.get(taken) === generation) return connectionOf(taken)
        discard(taken)
      }
    } catch (error) {
      if (error instanceof QueryTimeLimitExceeded || isConnectTimeout(error)) distrust({ silent: true })
      throw new DatabaseUnreachable('no connection to PostgreSQL could be had', { cause: error })
    }
  }

  async function probeServer(): Promise<void> {
    const probing = new Client({ ...client, connectionTimeoutMillis: probe_ms })
    probing.on('error', () => {
      // Told by connect() or query() already.
    })
    try {
      await probing.connect()
      // A pooler may accept for a server that does not answer.
      await bounded(probing, 'select 1', probe_ms)
      silent = false
    } finally {
      streamOf(probing).destroy()
    }
  }

  function distrust(seen: { silent: boolean }): void {
    silent ||= seen.silent
    const now = performance.now()
    if (now - distrustedAt < distrustEvery_ms) return
    distrustedAt = now
    generation += 1
  }

  function connectionOf(taken: PoolClient): PooledConnection {
    return {
      async query<Row extends object>(statement: Statement | string, limit_ms = query_ms) {
        try {
          return await bounded<Row>(taken, statement, limit_ms)
        } catch (error) {
          if (error instanceof QueryTimeLimitExceeded) distrust({ silent: true })
          else if (serverUnavailable(error)) distrust({ silent: false })
          throw error
        }
      },
      release(error) {
        if (error === undefined || isHarmless(error)) taken.release()
        else discard(taken)
      },
      destroy: () => discard(taken),
      onLost(listener) {
        taken.on('error', listener)
        taken.once('end', listener)
      },
    }
  }

  return {
    take,
    async close() {
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(() => {
        for (const connection of connections) streamOf(connection).destroy()
        late.resolve()
      }, close_ms)
      await Promise.race([pool.end(), late.promise])
      // An idle connection stays open until the server closes it too, and keeps the process: the timer ends that.
      timer.unref()
    },
  }
}

/** Runs a statement with an end: destroying the stream fails the statement, and whatever waits behind it on the connection. */
async function bounded<Row extends object>(
  client: ClientBase,
  statement: Statement | string,
  limit_ms: number,
): Promise<QueryResult<Row>> {
  const giveUp = () =>
    streamOf(client).destroy(new QueryTimeLimitExceeded(`PostgreSQL did not answer within ${limit_ms} ms`))
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
function isHarmless(error: unknown): boolean {
  return error instanceof DatabaseError && !connectionLost(error) && !serverUnavailable(error)
}

/** The server did not answer a new connection. Waiting for a free one of the pool fails in other words. */
function isConnectTimeout(error: unknown): boolean {
  return error instanceof Error && /due to connection timeout|timeout expired/.test(error.message)
}
