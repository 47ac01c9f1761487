import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

/** The stored issuer, null until one is created, and the time. */
export async function readIssuer(db: Db): Promise<{ sealed: Buffer | null; now: string }> {
  const [row] = await db.query<{ sealed: Buffer | null; now: string }>(
    sql`select (select sealed from sandbox_issuer), service_now() as now`,
  )
  if (row === undefined) throw new Error('A query for one row returned none.')
  return row
}

/** Stores the issuer unless there is one already. */
export async function insertIssuer(db: Db, sealed: Buffer): Promise<void> {
  await db.execute(sql`insert into sandbox_issuer (sealed) values (${sealed}) on conflict do nothing`)
}

/** Stores the issuer, and replaces the stored one if there is one. */
export async function replaceIssuer(tx: Db, sealed: Buffer): Promise<void> {
  await tx.execute(sql`delete from sandbox_issuer`)
  await tx.execute(sql`insert into sandbox_issuer (sealed) values (${sealed})`)
}
