import { escapeIdentifier } from 'pg'
import { nameStatement, type StatementName } from '../observability/name-statement.ts'
import { endWith } from '../observability/spans.ts'
import { tracing } from '../observability/tracing.ts'
import { type ConnectionPool, type PooledConnection, openPool } from './connection/pool.ts'
import { noObserver, type PoolObserver, type PoolUsage } from './connection/observer.ts'
import { queryTimeout_ms, responseMargin_ms, shortQueryTimeout_ms } from './connection/session-settings.ts'
import { failedBeforeCommit, serverUnavailable } from './failures.ts'
import { type Sql, type Statement, toStatement } from './sql.ts'

/** The pool or an open transaction; a store does not need to know which. */
export type Db = {
  /** Runs one statement and returns its rows. */
  query<Row extends object>(statement: Sql): Promise<Row[]>
  /** Runs one statement and returns the number of affected rows. */
  execute(statement: Sql): Promise<number>
}

export type Database = Db & {
  /** Commits when `work` returns and rolls back when it throws. `work` must not do network I/O or cryptography. */
  transaction<Result>(work: (tx: Db) => Promise<Result>, limits?: TransactionLimits): Promise<Result>
  /** Takes a connection from the pool, for locks that outlive a transaction. */
  connection(): Promise<Connection>
  /** From now on every new connection is checked before it is used, and the existing ones are replaced. */
  checkConnections(check: ConnectionCheck): void
  /**
   * Drops all connections. Every statement fails with this error as its cause until a check succeeds, which is tried again at
   * most once a second, when there is a statement to run.
   */
  suspend(reason: Error): void
  suspended(): Error | undefined
  /** Whether a statement failed a short time ago because the disk of the server is full. */
  wasDiskFull(): boolean
  /** Its connections. */
  usage(): PoolUsage
  close(): Promise<void>
}

/** Throws if the database behind this connection must not be used. */
type ConnectionCheck = (connection: Db) => Promise<void>

/** Limits for a transaction with slow statements. The client waits accordingly. */
type TransactionLimits = { statement_ms: number; lock_ms?: number }

export type Connection = Db & {
  /** Aborted when the connection breaks: its locks are released from then on. */
  lost: AbortSignal
  /** Calls the listener for every notification on a channel of PostgreSQL, until the connection ends. */
  listen(channel: string, listener: () => void): Promise<void>
  /** Closes the connection, which releases its locks. */
  close(): void
}

type DatabaseOptions = { url: string; poolSize: number; applicationName?: string; observer?: PoolObserver }

/** Opens the database. Every wait is limited, on the server and in the client: see connection/session-settings.ts. */
export function openDatabase({
  url,
  poolSize,
  applicationName = 'vidimus',
  observer = noObserver,
}: DatabaseOptions): Database {
  const pool = openPool({ url, poolSize, applicationName, observer })
  return {
    ...toDb({ query: (statement, limit_ms, name) => runSingle(pool, statement, { limit_ms, name }) }),
    transaction: (work, limits) => transaction(pool, work, limits),
    connection: () => connection(pool),
    checkConnections: (check) => pool.checkConnections((opened) => check(toDb(opened, shortQueryTimeout_ms))),
    suspend: (reason) => pool.suspend(reason),
    suspended: () => pool.suspended(),
    wasDiskFull: () => pool.wasDiskFull(),
    usage: () => pool.usage(),
    close: () => pool.close(),
  }
}

async function runSingle<Row extends object>(
  pool: ConnectionPool,
  statement: Statement | string,
  { limit_ms, name }: { limit_ms: number | undefined; name: StatementName | undefined },
) {
  const pooled = await pool.acquire()
  try {
    const result = await pooled.query<Row>(statement, limit_ms, name)
    pooled.release()
    return result
  } catch (error) {
    pooled.release(error)
    throw error
  }
}

function toDb(pooled: Pick<PooledConnection, 'query'>, limit_ms = queryTimeout_ms): Db {
  return {
    async query<Row extends object>(statement: Sql) {
      const name = nameStatement(statement.template)
      const span = tracing.tracer?.startStatement(name.name)
      return (await endWith(span, pooled.query<Row>(toStatement(statement), limit_ms, name))).rows
    },
    async execute(statement) {
      const name = nameStatement(statement.template)
      const span = tracing.tracer?.startStatement(name.name)
      return (await endWith(span, pooled.query(toStatement(statement), limit_ms, name))).rowCount ?? 0
    },
  }
}

async function transaction<Result>(
  pool: ConnectionPool,
  work: (tx: Db) => Promise<Result>,
  limits?: TransactionLimits,
): Promise<Result> {
  const pooled = await pool.acquire()
  const tx = toDb(pooled, limits && limits.statement_ms + responseMargin_ms)
  openTransaction(tx)
  let outcome: TransactionOutcome = 'rolled_back'
  let result: Result
  try {
    await endWith(
      tracing.tracer?.startStatement('begin'),
      pooled.query(['begin', ...limitSettings(limits)].join(';')),
    )
    result = await work(tx)
    outcome = 'unknown'
    const { command } = await endWith(tracing.tracer?.startStatement('commit'), pooled.query('commit'))
    outcome = command === 'COMMIT' ? 'committed' : 'rolled_back'
    // PostgreSQL responds to the commit of a failed transaction with ROLLBACK and no error. This catches work that swallowed an error.
    if (outcome === 'rolled_back') throw new Error('the transaction failed and was rolled back')
    pooled.release()
  } catch (error) {
    await rollBack(pooled, error)
    const isRolledBack = outcome === 'rolled_back' || failedBeforeCommit(error) || serverUnavailable(error)
    await endTransaction(tx, isRolledBack ? 'rolled_back' : 'unknown')
    throw error
  }
  await endTransaction(tx, outcome)
  return result
}

function limitSettings(limits: TransactionLimits | undefined): string[] {
  if (limits === undefined) return []
  const { statement_ms, lock_ms } = limits
  return [
    `set local statement_timeout = ${statement_ms}`,
    ...(lock_ms === undefined ? [] : [`set local lock_timeout = ${lock_ms}`]),
  ]
}

/** A connection that rolls back can be reused, whatever the work threw. */
async function rollBack(pooled: PooledConnection, error: unknown): Promise<void> {
  if (serverUnavailable(error)) return pooled.destroy()
  const rollback = pooled.query('rollback', shortQueryTimeout_ms)
  const failure = await endWith(tracing.tracer?.startStatement('rollback'), rollback).then(
    () => undefined,
    (failed: unknown) => failed,
  )
  pooled.release(failure)
}

async function connection(pool: ConnectionPool): Promise<Connection> {
  const pooled = await pool.acquire()
  const lost = new AbortController()
  pooled.onLost(() => lost.abort())
  // One statement at a time: pg has deprecated queueing a second one.
  let last: Promise<unknown> = Promise.resolve()
  const inOrder = <Result>(run: () => Promise<Result>): Promise<Result> => {
    const result = last.then(run)
    last = result.catch(() => {})
    return result
  }
  return {
    ...toDb({
      query: (statement, limit_ms, name) => inOrder(() => pooled.query(statement, limit_ms, name)),
    }),
    lost: lost.signal,
    async listen(channel, listener) {
      pooled.onNotification(channel, listener)
      await inOrder(() => pooled.query(`listen ${escapeIdentifier(channel)}`))
    },
    close: () => pooled.destroy(),
  }
}

/** `unknown`: the connection was lost while the commit was being sent. */
export type TransactionOutcome = 'committed' | 'rolled_back' | 'unknown'

type EndListener = (outcome: TransactionOutcome) => Promise<void>

/** By the object that the transaction's statements run through. */
const listenersOf = new WeakMap<object, EndListener[]>()

/** Makes `onTransactionEnd` possible for a new transaction. */
function openTransaction(tx: object): void {
  listenersOf.set(tx, [])
}

/**
 * Calls the listener once the transaction has ended and before its caller goes on. A listener must not throw: the outcome cannot change any more.
 * Throws if `tx` is not an open transaction, because what must commit together would not.
 */
export function onTransactionEnd(tx: object, listener: EndListener): void {
  const listeners = listenersOf.get(tx)
  if (listeners === undefined) throw new Error('this needs a transaction')
  listeners.push(listener)
}

/** Tells the listeners how a transaction ended. */
async function endTransaction(tx: object, outcome: TransactionOutcome): Promise<void> {
  const listeners = listenersOf.get(tx) ?? []
  listenersOf.delete(tx)
  for (const listener of listeners) await listener(outcome)
}
