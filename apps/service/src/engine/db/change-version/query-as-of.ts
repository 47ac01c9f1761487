import type { Db } from '../open.ts'
import { around, sql, type Sql } from '../sql.ts'

/**
 * Identifies the state of all rows of which processes keep copies: keys, tenants, identities, trust, templates, secrets and
 * devices. Every transaction that changes such a row replaces the version by a random one, so only equality means anything.
 * Triggers do it, deferred to the commit: with immediate ones, two transactions that change different rows deadlock.
 */
export type ChangeVersion = string

/** A column for any statement: the version in the snapshot that the statement reads. */
export const changeVersion: Sql = sql`(select version from change_version) as change_version`

/** What a read has seen: all changes up to a version, and the database's clock. */
export type AsOf = { change_version: ChangeVersion; now: string }

const currentAsOf = sql`select version as change_version, service_now() as now from change_version`

export async function queryAsOf(db: Db): Promise<AsOf> {
  return requireAsOf(await db.query<AsOf>(currentAsOf))
}

/** Runs a query and returns its rows with the moment of the snapshot that they were read from. */
export async function queryWithAsOf<Row extends object>(
  db: Db,
  query: Sql,
): Promise<{ asOf: AsOf; rows: Row[] }> {
  // The outer join returns the moment even if the query finds nothing.
  const withAsOf = sql`
    select as_of.change_version, as_of.now, result.*
    from (${currentAsOf}) as as_of
    left join (select true as found, query.* from (${query}) as query) as result on true`
  const rows = await db.query<Row & AsOf & { found: true | null }>(around(query, withAsOf))
  return { asOf: requireAsOf(rows), rows: rows.filter(({ found }) => found !== null) }
}

function requireAsOf([row]: AsOf[]): AsOf {
  if (row === undefined) throw new Error('The table change_version is empty.')
  return { change_version: row.change_version, now: row.now }
}
