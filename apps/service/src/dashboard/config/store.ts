import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

/** Session-level: released when the connection closes. False if another request applies a configuration of this tenant. */
export async function tryLockConfig(db: Db, tenant_id: string): Promise<boolean> {
  const [row] = await db.query<{ locked: boolean }>(
    sql`select pg_try_advisory_lock(hashtextextended('config ' || ${tenant_id}, 0)) as locked`,
  )
  return row?.locked === true
}

export async function unlockConfig(db: Db, tenant_id: string): Promise<void> {
  await db.query(sql`select pg_advisory_unlock(hashtextextended('config ' || ${tenant_id}, 0))`)
}
