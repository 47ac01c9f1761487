import { isForeignStatement } from '../failures.ts'
import type { Connection, Database } from '../open.ts'
import { sql } from '../sql.ts'

/** DATABASE_URL points to a pooler that may run every transaction in a different session. */
export class TransactionPoolingError extends Error {
  override name = 'TransactionPoolingError'
}

/**
 * Throws TransactionPoolingError if two connections share one server session. Named statements, time limits and advisory
 * locks belong to a session, so none of them would work.
 */
export async function requireSessions(db: Database): Promise<void> {
  const connections = await Promise.all([db.connection(), db.connection()])
  try {
    const seen = new Set<number>()
    for (const connection of connections) seen.add(await readSession(connection))
    if (seen.size < connections.length) throw transactionPooling()
  } catch (error) {
    throw isForeignStatement(error) ? transactionPooling() : error
  } finally {
    for (const connection of connections) connection.close()
  }
}

async function readSession(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  return row?.pid ?? 0
}

function transactionPooling(): TransactionPoolingError {
  return new TransactionPoolingError(
    'DATABASE_URL points to a pooler in transaction mode, in which named statements, time limits and advisory locks do not work. Set pool_mode = session, or connect to PostgreSQL directly.',
  )
}
