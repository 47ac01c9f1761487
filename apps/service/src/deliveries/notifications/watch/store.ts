import type { Db } from '../../../engine/db/index.ts'
import { sql } from '../../../engine/db/sql.ts'

/** False if another process is watching the same at the moment. */
export async function lockWatch(tx: Db, what: 'quota' | 'expiry' | 'lists'): Promise<boolean> {
  const [row] = await tx.query<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended('alerts ' || ${what}, 0)) as locked`,
  )
  return row?.locked === true
}
