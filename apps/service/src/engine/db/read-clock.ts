import type { Db } from './open.ts'
import { sql } from './sql.ts'

/** The current time of the database's clock, the only one that is stored or compared. */
export async function readClock(db: Db): Promise<string> {
  const [row] = await db.query<{ now: string }>(sql`select service_now() as now`)
  if (row === undefined) throw new Error('The clock query returned no row.')
  return row.now
}
