import type { Database, Db } from '../open.ts'
import { sql } from '../sql.ts'

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
