import { Client, DatabaseError, Pool, type ClientBase, type PoolClient, type QueryResult } from 'pg'
import {
  connectionLost,
  databaseFailure,
  DatabaseUnreachableError,
  isDiskFull,
  QueryTimeoutError,
  serverUnavailable,
} from '../failures.ts'
import type { StatementName } from '../../observability/name-statement.ts'
import { currentWork } from '../../scheduling/work.ts'
import {
  closeTimeout_ms,
  connectTimeout_ms,
  keepAlive_ms,
  probeTimeout_ms,
  queryTimeout_ms,
  sessionSettings,
  shortQueryTimeout_ms,
  valueParsers,
} from './session-settings.ts'
import type { Statement } from '../sql.ts'
import type { PoolObserver, PoolUsage } from './observer.ts'
import { queryWithTimeout, streamOf } from './query-with-timeout.ts'
import { openTurns } from './turns.ts'

const { nodeTiming } = performance

export type PoolOptions = { url: string; poolSize: number; applicationName: string; observer: PoolObserver }

export type ConnectionPool = {
  /** Takes a connection. Throws DatabaseUnreachableError if none is available in time. */
  acquire(): Promise<PooledConnection>
  /** From now on a connection is handed out only if the check, which runs on it first, does not throw. */
  checkConnections(check: PoolCheck): void
  /** Drops all connections and hands out none until a check succeeds. Meanwhile every caller gets this error. */
  suspend(reason: Error): void
  /** Why no connection is handed out. */
  suspended(): Error | undefined
  /** Whether a statement failed a short time ago because the disk of the server is full. */
  wasDiskFull(): boolean
  usage(): PoolUsage
  close(): Promise<void>
}

type PoolCheck = (connection: Pick<PooledConnection, 'query'>) => Promise<void>

export type PooledConnection = {
  /** Runs a statement. Without a response within the limit, it throws QueryTimeoutError and the connection is destroyed. */
  query<Row extends object>(
    statement: Statement | string,
    limit_ms?: number,
    name?: StatementName,
  ): Promise<QueryResult<Row>>
  /** Returns the connection to the pool, or drops it if the error made it unusable. */
  release(error?: unknown): void
  /** Closes the connection without waiting for the server. */
  destroy(): void
  onLost(listener: () => void): void
  onNotification(channel: string, listener: () => void): void
}

/** `begin`, `commit` and what else the engine itself sends. */
const ownStatement: StatementName = { name: 'engine', module: 'engine' }
/** Existing connections are retired at most this often, so that a server that stays read-only is not flooded with new ones. */
const retireInterval_ms = 1000
/** A full disk is remembered for this long after the last statement that it refused. */
const diskFullMemory_ms = 10_000
/** A check of connections that failed is repeated at most this often. */
const recheckInterval_ms = 1000

/**
 * A connection pool in which every wait has a limit in the client. When the server stops responding or becomes read-only, all
 * existing connections are dropped instead of reused: they lead to a server that is gone or was demoted. After a time-out,
 * callers share one short probe of the server before they queue for connections.
 */
export function openPool({ url, poolSize, applicationName, observer }: PoolOptions): ConnectionPool {
  const client = {
    connectionString: url,
    application_name: applicationName,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAlive_ms,
    types: valueParsers,
  }
  const connections = new Set<ClientBase>()
  const generations = new WeakMap<ClientBase, number>()
  /** Connections of an earlier generation are not reused. */
  let generation = 0
  let retiredAt_ms = Number.NEGATIVE_INFINITY
  let diskFullAt_ms = Number.NEGATIVE_INFINITY
  let isUnresponsive = false
  let probe: Promise<void> | undefined
  let check: PoolCheck | undefined
  let suspension: { reason: Error; checkedAt_ms: number } | undefined
  let recheck: Promise<void> | undefined
  const turns = openTurns(poolSize)

  const pool = new Pool({
    ...client,
    max: poolSize,
    connectionTimeoutMillis: connectTimeout_ms,
    idleTimeoutMillis: 30_000,
    // A connection keeps the plans of every day it has seen.
    maxLifetimeSeconds: 3600,
    // Runs before a new connection is handed out.
    verify: (opened, verified) => {
      const openedIn = generation
      prepare(opened)
        .then(() => generations.set(opened, openedIn))
        .then(() => verified(), verified)
    },
  })
  pool.on('connect', (opened) => {
    connections.add(opened)
    opened.on('error', () => {
      // Broken while idle or between two statements: the next statement fails. Without a listener the process would exit.
    })
  })
  pool.on('error', () => {
    // An idle connection broke; the pool has already removed it.
  })
  pool.on('remove', (removed) => connections.delete(removed))

  async function acquire(): Promise<PooledConnection> {
    const asked_ms = performance.now()
    try {
      if (isUnresponsive) await (probe ??= probeServer().finally(() => (probe = undefined)))
      if (suspension !== undefined) await (recheck ??= checkAgain().finally(() => (recheck = undefined)))
      const turn = turns.take()
      if (turn !== undefined) await turn
      return await connect().catch((error: unknown) => {
        turns.passOn()
        throw error
      })
    } catch (error) {
      if (error instanceof QueryTimeoutError || isConnectTimeout(error))
        retireConnections({ isUnresponsive: true })
      const unreachable = new DatabaseUnreachableError('no connection to PostgreSQL was available', {
        cause: error,
      })
      // What was suspended is not at fault itself.
      if (suspension === undefined) observeFailure(unreachable)
      throw unreachable
    } finally {
      const waited_ms = performance.now() - asked_ms
      observer.onWaited(waited_ms / 1000)
      const work = currentWork()
      if (work !== undefined) work.waits.pool_ms += waited_ms
    }
  }

  function observeFailure(error: unknown): void {
    const failure = databaseFailure(error)
    if (failure !== undefined) observer.onFailure(failure, error)
  }

  async function connect(): Promise<PooledConnection> {
    for (;;) {
      const pooled = await pool.connect()
      if (generations.get(pooled) === generation) return connectionOf(pooled)
      discard(pooled)
    }
  }

  async function prepare(opened: ClientBase): Promise<void> {
    await queryWithTimeout(opened, sessionSettings, shortQueryTimeout_ms)
    await check?.({
      query: (statement, limit_ms = shortQueryTimeout_ms) => queryWithTimeout(opened, statement, limit_ms),
    })
  }

  function suspend(reason: Error): void {
    suspension = { reason, checkedAt_ms: performance.now() }
    generation += 1
  }

  /** Throws unless the check of a connection of its own succeeds. */
  async function checkAgain(): Promise<void> {
    if (suspension === undefined) return
    if (performance.now() - suspension.checkedAt_ms < recheckInterval_ms) throw suspension.reason
    await withOwnConnection(prepare)
    suspension = undefined
  }

  async function probeServer(): Promise<void> {
    // A pooler may accept the connection although the server does not respond.
    await withOwnConnection((opened) => queryWithTimeout(opened, 'select 1', probeTimeout_ms))
    isUnresponsive = false
  }

  async function withOwnConnection(use: (opened: ClientBase) => Promise<unknown>): Promise<void> {
    const ownClient = new Client({ ...client, connectionTimeoutMillis: probeTimeout_ms })
    ownClient.on('error', () => {
      // connect() or query() rejects with the same error.
    })
    try {
      await ownClient.connect()
      await use(ownClient)
    } finally {
      streamOf(ownClient).destroy()
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
    let released = false
    const end = (drop: boolean) => {
      if (released) return
      released = true
      if (drop) discard(pooled)
      else pooled.release()
      turns.passOn()
    }
    return {
      async query<Row extends object>(
        statement: Statement | string,
        limit_ms = queryTimeout_ms,
        { module }: StatementName = ownStatement,
      ) {
        const work = currentWork()
        const idle_ms = nodeTiming.idleTime
        const began_ms = performance.now()
        try {
          const result = await queryWithTimeout<Row>(pooled, statement, limit_ms)
          observer.onSuccess()
          return result
        } catch (error) {
          observeFailure(error)
          if (isDiskFull(error)) diskFullAt_ms = performance.now()
          if (error instanceof QueryTimeoutError) retireConnections({ isUnresponsive: true })
          else if (serverUnavailable(error)) retireConnections({ isUnresponsive: false })
          throw error
        } finally {
          // The server's time, as far as this process waited for it. While the event loop ran something else, that is unknown.
          work?.charge(nodeTiming.idleTime - idle_ms)
          const took_ms = performance.now() - began_ms
          observer.onStatement(module, took_ms / 1000)
          if (work !== undefined) work.waits.sql_ms += took_ms
        }
      },
      release: (error) => end(error !== undefined && !isStatementError(error)),
      destroy: () => end(true),
      onLost(listener) {
        pooled.on('error', listener)
        pooled.once('end', listener)
      },
      onNotification(channel, listener) {
        pooled.on('notification', (notification) => notification.channel === channel && listener())
      },
    }
  }

  return {
    acquire,
    checkConnections(given) {
      check = given
      generation += 1
    },
    suspend,
    suspended: () => suspension?.reason,
    wasDiskFull: () => performance.now() - diskFullAt_ms < diskFullMemory_ms,
    usage: () => ({
      used: turns.used(),
      idle: pool.idleCount,
      waiting: turns.waiting(),
      max: poolSize,
    }),
    async close() {
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(() => {
        for (const connection of connections) streamOf(connection).destroy()
        late.resolve()
      }, closeTimeout_ms)
      await Promise.race([pool.end(), late.promise])
      // An idle connection stays open until the server closes it too, which keeps the process alive: the timer ends that.
      timer.unref()
    },
  }
}

function discard(client: PoolClient): void {
  client.release(true)
  // Releasing sends a terminate message and waits for the server to close, which it may never do.
  streamOf(client).destroy()
}

/** The statement failed, but the connection is usable. */
function isStatementError(error: unknown): boolean {
  return error instanceof DatabaseError && !connectionLost(error) && !serverUnavailable(error)
}

/** The server did not respond to a new connection. Waiting for a free connection of the pool fails with a different message. */
function isConnectTimeout(error: unknown): boolean {
  return error instanceof Error && /due to connection timeout|timeout expired/.test(error.message)
}
