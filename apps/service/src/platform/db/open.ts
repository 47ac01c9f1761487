import { Pool, type PoolClient } from 'pg'
import { statementOf, type Sql } from './sql.ts'
import { parsers } from './types.ts'

/** A pool or an open transaction; a store never needs to know which. */
export type Db = {
  /** Runs one statement and returns its rows. */
  query<Row extends object>(statement: Sql): Promise<Row[]>
  /** Runs one statement and returns how many rows it touched. */
  execute(statement: Sql): Promise<number>
}

export type Database = Db & {
  /** Commits when `work` returns and rolls back when it throws. Never wrap network or cryptography in it. */
  transaction<Result>(work: (tx: Db) => Promise<Result>): Promise<Result>
  /** Takes a connection out of the pool, for locks that outlive a transaction. */
  connection(): Promise<Connection>
  close(): Promise<void>
}

export type Connection = Db & {
  /** Aborted when the connection breaks: what it had locked is free from then on. */
  lost: AbortSignal
  /** Ends the connection, and every lock with it. */
  close(): void
}

export type OpenDatabase = { url: string; poolSize: number; applicationName?: string }

/**
 * Bounds on every wait, so that a request holds what it locked for five seconds at most: a statement, a lock, an idle
 * transaction, a dead peer.
 */
const settings = [
  '-c statement_timeout=5000',
  '-c lock_timeout=3000',
  '-c idle_in_transaction_session_timeout=5000',
  '-c tcp_keepalives_idle=5',
  '-c tcp_keepalives_interval=5',
  '-c tcp_keepalives_count=3',
  '-c TimeZone=UTC',
  // Every statement has an index to go by, and its plan is kept: one made while a day was empty must not scan it when it is
  // full. Compiling pays for long scans only.
  '-c enable_seqscan=off',
  '-c jit=off',
].join(' ')

export function openDatabase({ url, poolSize, applicationName = 'vidimus' }: OpenDatabase): Database {
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
    // A connection keeps the plans of the days it has seen.
    maxLifetimeSeconds: 3600,
    keepAlive: true,
    application_name: applicationName,
    options: settings,
    types: parsers,
  })
  // A connection that breaks, idle or between two statements of a transaction, is replaced by the pool. Its next statement
  // fails; without listeners the process would end.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    ...dbOf(pool),
    transaction: (work) => transaction(pool, work),
    connection: () => connection(pool),
    close: () => pool.end(),
  }
}

function dbOf(client: Pool | PoolClient): Db {
  return {
    async query<Row extends object>(statement: Sql) {
      return (await client.query<Row>(statementOf(statement))).rows
    },
    async execute(statement) {
      return (await client.query(statementOf(statement))).rowCount ?? 0
    },
  }
}

async function transaction<Result>(pool: Pool, work: (tx: Db) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(dbOf(client))
    const { command } = await client.query('commit')
    // PostgreSQL answers a commit of a failed transaction with ROLLBACK and no error: work that swallowed an error ends here.
    if (command !== 'COMMIT') throw new Error('the transaction had failed and was rolled back')
    client.release()
    return result
  } catch (error) {
    const usable = await client.query('rollback').then(
      () => true,
      () => false,
    )
    client.release(!usable)
    throw error
  }
}

async function connection(pool: Pool): Promise<Connection> {
  const client = await pool.connect()
  const lost = new AbortController()
  client.on('error', () => lost.abort())
  client.once('end', () => lost.abort())
  const db = dbOf(client)
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
    close: () => client.release(true),
  }
}
