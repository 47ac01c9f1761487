import { sql, type Sql } from './sql.ts'

/**
 * Parameters of many callers in one statement, in a form that lets PostgreSQL keep a generic plan. The planner sees the length
 * of an array parameter, estimates the generic plan (for ten elements) as dearer than a custom plan for two, and so plans every
 * time, which takes longer than the statement. These functions hide the length.
 */

/** Rows as a table, each with its `place` counted from 1. An alias with columns must follow: `as batch (place integer, id text)`. */
export function batchRows(rows: readonly object[]): Sql {
  return sql`jsonb_to_recordset(${JSON.stringify(rows.map((row, index) => ({ ...row, place: index + 1 })))})`
}

/** The right-hand side of `id =` for any element of an array, which is given as SQL with its type. */
export function oneOf(array: Sql): Sql {
  return sql`any (array(select unnest(${array})))`
}
