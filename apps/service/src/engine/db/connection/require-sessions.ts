import { isForeignStatement } from '../failures.ts'
import type { Connection, Database, Db } from '../open.ts'
import { sql } from '../sql.ts'

/** DATABASE_URL points to a pooler that may run every transaction in a different session. */
export class TransactionPoolingError extends Error {
  override name = 'TransactionPoolingError'
  override message =
    'DATABASE_URL points to a pooler in transaction mode, in which named statements, time limits and advisory locks do not work. Set pool_mode = session, or connect to PostgreSQL directly.'
}

/** A pooler with several idle sessions may by chance give each connection its own for a while. */
const rounds = 8

/**
 * Throws TransactionPoolingError if two connections share one server session, or one changes its session. Named statements,
 * time limits and advisory locks belong to a session, so none of them would work.
 */
export async function requireSessions(db: Database): Promise<void> {
  const connections = await Promise.all([db.connection(), db.connection()])
  try {
    const [first, second] = [new Set<number>(), new Set<number>()]
    for (let round = 0; round < rounds; round += 1) {
      first.add(await readSession(connections[0]))
      second.add(await readSession(connections[1]))
    }
    if (first.size > 1 || second.size > 1 || !first.isDisjointFrom(second))
      throw new TransactionPoolingError()
  } catch (error) {
    throw isForeignStatement(error) ? new TransactionPoolingError() : error
  } finally {
    for (const connection of connections) connection.close()
  }
}

async function readSession(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  return row?.pid ?? 0
}

/**
 * Throws if the database accepts no writes: requests to this process would fail. The statement locks no row and needs write access nevertheless, so a
 * standby or a read-only session refuses it with 25006, and the pool drops its connections as it does for any other statement. A query of the
 * setting would leave them in use: once a load balancer sends no more requests, nothing else would ever replace them.
 */
export async function requireWritable(db: Db): Promise<void> {
  await db.query(sql`select from change_version where false for update`)
}

/** The same, and after a statement that a full disk refused, throws until the disk has space again. */
export async function requireWritableWithSpace(db: Database): Promise<void> {
  await requireWritable(db)
  if (db.wasDiskFull()) await requireSpace(db)
}

/**
 * Throws with 53100 if the disk is full. A row would often fit into a page that exists already, so this fills new pages, of a temporary
 * table, which blocks nobody and ends with its transaction. It is logged little, but not free: ask at most once a second.
 */
export async function requireSpace(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    // Otherwise it could be created on another disk than the tables.
    await tx.execute(sql`set local temp_tablespaces = ''`)
    await tx.execute(sql`create temporary table space_probe (padding text) on commit drop`)
    await tx.execute(sql`insert into space_probe select repeat('x', 1000) from generate_series(1, 100)`)
  })
}
