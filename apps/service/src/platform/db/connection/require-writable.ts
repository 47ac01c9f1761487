import type { Db } from '../open.ts'
import { sql } from '../sql.ts'

/**
 * Throws if the database accepts no writes: requests to this process would fail. The statement locks no row and needs write access nevertheless, so a
 * standby or a read-only session refuses it with 25006, and the pool drops its connections as it does for any other statement. A query of the
 * setting would leave them in use: once a load balancer sends no more requests, nothing else would ever replace them.
 */
export async function requireWritable(db: Db): Promise<void> {
  await db.query(sql`select from change_version where false for update`)
}
