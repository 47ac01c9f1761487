import { timedOut } from '../failures.ts'
import type { Db } from '../open.ts'
import { sql } from '../sql.ts'

/** Creates the coming days' partitions of every daily table. `serve` calls it at start and every hour. */
export async function makePartitionsAhead(db: Db): Promise<number> {
  const [row] = await db.query<{ made: number }>(sql`select make_partitions_ahead() as made`)
  return row?.made ?? 0
}

/** The days for which a table has a partition, oldest first. */
export async function partitionDays(db: Db, table: string): Promise<string[]> {
  const rows = await db.query<{ day: string }>(sql`
    select to_date(right(child.relname, 8), 'YYYYMMDD') as day
    from pg_inherits
    join pg_class parent on parent.oid = inhparent
    join pg_class child on child.oid = inhrelid
    where parent.relname = ${table} and parent.relnamespace = current_schema()::regnamespace
    order by day
    limit 40000`)
  return rows.map(({ day }) => day)
}

/** Drops one day of a daily table with its rows. False if the partition is in use: a later call will drop it. */
export async function dropPartition(db: Db, table: string, day: string): Promise<boolean> {
  try {
    await db.query(sql`select drop_partition(${table}, ${day})`)
    return true
  } catch (error) {
    if (timedOut(error)) return false
    throw error
  }
}
