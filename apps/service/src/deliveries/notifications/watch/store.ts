import type { Db } from '../../../engine/db/index.ts'
import { sql } from '../../../engine/db/sql.ts'

/** Takes the lock of a watch until the transaction ends. False if another process has it. */
export async function lockWatch(tx: Db, what: 'quota' | 'expiry' | 'lists'): Promise<boolean> {
  const [row] = await tx.query<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended('alerts ' || ${what}, 0)) as locked`,
  )
  return row?.locked === true
}
