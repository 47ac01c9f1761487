import { isForeignStatement } from '../failures.ts'
import type { Connection, Database } from '../open.ts'
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
