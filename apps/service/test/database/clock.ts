import type { Database } from '../../src/platform/db/open.ts'
import { sql } from '../../src/platform/db/sql.ts'

/**
 * Turns the service's one clock by an interval such as `1 day` or `-5 seconds`, counted from the true time, for every
 * process on this database. Production never replaces the function that this replaces.
 */
export async function setClockOffset(db: Database, by: string): Promise<void> {
  await runSqlText(
    db,
    `create or replace function service_now() returns timestamptz language sql volatile parallel safe
     as $$ select clock_timestamp() + interval '${by}' $$`,
  )
}

/** Stops the clock at a moment, given in SQL. */
export async function stopClockAt(db: Database, at: string): Promise<void> {
  await runSqlText(
    db,
    `create or replace function service_now() returns timestamptz language sql volatile parallel safe as $$ select ${at} $$`,
  )
}

/** Runs a text that cannot be a prepared statement of our own, such as a changed function. For tests only. */
export async function runSqlText(db: Database, text: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(sql`select set_config('vidimus.text', ${text}, true)`)
    await tx.execute(sql`do $$ begin execute current_setting('vidimus.text'); end $$`)
  })
}
