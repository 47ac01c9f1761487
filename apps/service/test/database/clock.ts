import type { Database } from '../../src/engine/db/open.ts'
import { sql } from '../../src/engine/db/sql.ts'

/**
 * Sets the service's clock to the true time plus an interval such as `1 day` or `-5 seconds`, for every process on this
 * database. It replaces a function that production never replaces.
 */
export async function setClockOffset(db: Database, by: string): Promise<void> {
  await runSqlText(
    db,
    `create or replace function service_now() returns timestamptz language sql volatile parallel safe
     as $$ select clock_timestamp() + interval '${by}' $$`,
  )
}

/** Stops the clock at a time given as an SQL expression. */
export async function stopClockAt(db: Database, at: string): Promise<void> {
  await runSqlText(
    db,
    `create or replace function service_now() returns timestamptz language sql volatile parallel safe as $$ select ${at} $$`,
  )
}

/** Runs SQL text that cannot be a prepared statement, such as a function definition. For tests only. */
export async function runSqlText(db: Database, text: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(sql`select set_config('vidimus.text', ${text}, true)`)
    await tx.execute(sql`do $$ begin execute current_setting('vidimus.text'); end $$`)
  })
}
