import { sql, type Sql } from './sql.ts'

/**
 * What many callers ask for in one statement, so that its plan is kept. The planner sees how many elements an array has, finds
 * the general plan for ten dearer than one made for two, and so plans anew each time, which takes longer than the statement.
 * Neither of these shows it.
 */

/** Rows as a table, each with its `place`, from one on. What follows names the columns: `as asked (place integer, id text)`. */
export function batchRows(rows: readonly object[]): Sql {
  return sql`jsonb_to_recordset(${JSON.stringify(rows.map((row, index) => ({ ...row, place: index + 1 })))})`
}

/** What stands behind `id =` for any of an array, which is given as SQL with its type. */
export function oneOf(array: Sql): Sql {
  return sql`any (array(select unnest(${array})))`
}
