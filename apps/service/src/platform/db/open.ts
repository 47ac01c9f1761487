import { serverUnavailable } from './failures.ts'
import { openPool, type ConnectionPool, type PooledConnection } from './pool.ts'
import { statementOf, type Sql } from './sql.ts'
import { answerMargin_ms, query_ms, shortQuery_ms } from './time-limits.ts'

/** A pool or an open transaction; a store never needs to know which. */
export type Db = {
  /** Runs one statement and returns its rows. */
  query<Row extends object>(statement: Sql): Promise<Row[]>
  /** Runs one statement and returns how many rows it touched. */
  execute(statement: Sql): Promise<number>
}

export type Database = Db & {
  /** Commits when `work` returns and rolls back when it throws. Never wrap network or cryptography in it. */
  transaction<Result>(work: (tx: Db) => Promise<Result>, limits?: TransactionLimits): Promise<Result>
  /** Takes a connection out of the pool, for locks that outlive a transaction. */
  connection(): Promise<Connection>
  close(): Promise<void>
}

/** The limits of a transaction whose statements may take longer than others do; the client waits accordingly. */
type TransactionLimits = { statement_ms: number; lock_ms?: number }

export type Connection = Db & {
  /** Aborted when the connection breaks: what it had locked is free from then on. */
  lost: AbortSignal
  /** Ends the connection, and every lock with it. */
  close(): void
}

export type OpenDatabase = { url: string; poolSize: number; applicationName?: string }

/** Opens the database. Every wait has an end, on the server and on our side: see time-limits.ts. */
export function openDatabase({ url, poolSize, applicationName = 'vidimus' }: OpenDatabase): Database {
  const pool = openPool({ url, poolSize, applicationName })
  return {
    async query<Row extends object>(statement: Sql) {
      return (await single<Row>(pool, statement)).rows
    },
    execute: async (statement) => (await single(pool, statement)).rowCount ?? 0,
    transaction: (work, limits) => transaction(pool, work, limits),
    connection: () => connection(pool),
    close: () => pool.close(),
  }
}

async function single<Row extends object>(pool: ConnectionPool, statement: Sql) {
  const taken = await pool.take()
  try {
    const result = await taken.query<Row>(statementOf(statement))
    taken.release()
    return result
  } catch (error) {
    taken.release(error)
    throw error
  }
}

function dbOf(taken: PooledConnection, limit_ms = query_ms): Db {
  return {
    async query<Row extends object>(statement: Sql) {
      return (await taken.query<Row>(statementOf(statement), limit_ms)).rows
    },
    async execute(statement) {
      return (await taken.query(statementOf(statement), limit_ms)).rowCount ?? 0
    },
  }
}

async function transaction<Result>(
  pool: ConnectionPool,
  work: (tx: Db) => Promise<Result>,
  limits?: TransactionLimits,
): Promise<Result> {
  const taken = await pool.take()
  try {
    await taken.query(['begin', ...settingsOf(limits)].join(';'))
    const result = await work(dbOf(taken, limits && limits.statement_ms + answerMargin_ms))
    const { command } = await taken.query('commit')
    // PostgreSQL answers a commit of a failed transaction with ROLLBACK and no error: work that swallowed an error ends here.
    if (command !== 'COMMIT') throw new Error('the transaction had failed and was rolled back')
    taken.release()
    return result
  } catch (error) {
    await rollBack(taken, error)
    throw error
  }
}

function settingsOf(limits: TransactionLimits | undefined): string[] {
  if (limits === undefined) return []
  const { statement_ms, lock_ms } = limits
  return [
    `set local statement_timeout = ${statement_ms}`,
    ...(lock_ms === undefined ? [] : [`set local lock_timeout = ${lock_ms}`]),
  ]
}

/** A connection that rolls back can be used again, whatever the work threw. */
async function rollBack(taken: PooledConnection, error: unknown): Promise<void> {
  if (serverUnavailable(error)) return taken.destroy()
  const failure = await taken.query('rollback', shortQuery_ms).then(
    () => undefined,
    (failed: unknown) => failed,
  )
  taken.release(failure)
}

async function connection(pool: ConnectionPool): Promise<Connection> {
  const taken = await pool.take()
  const lost = new AbortController()
  taken.onLost(() => lost.abort())
  const db = dbOf(taken)
  // One statement at a time: the driver is about to refuse a second.
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Result>(run: () => Promise<Result>): Promise<Result> => {
    const result = last.then(run)
    last = result.catch(() => {})
    return result
  }
  return {
    query: (statement) => inTurn(() => db.query(statement)),
    execute: (statement) => inTurn(() => db.execute(statement)),
    lost: lost.signal,
    close: () => taken.destroy(),
  }
}
