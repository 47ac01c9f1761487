import type { Db } from '../open.ts'
import { sql } from '../sql.ts'

/** The database accepts no writes: it is a standby or was made read-only. */
class ReadOnlyDatabaseError extends Error {
  override name = 'ReadOnlyDatabaseError'
}

/** Throws ReadOnlyDatabaseError if the database accepts no writes: requests to this process would fail. */
export async function requireWritable(db: Db): Promise<void> {
  const [row] = await db.query<{ read_only: boolean }>(
    sql`select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only`,
  )
  if (row?.read_only !== false) throw new ReadOnlyDatabaseError('The database is read-only.')
}
