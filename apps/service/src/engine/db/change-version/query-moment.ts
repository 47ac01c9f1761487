import type { Db } from '../open.ts'
import { sql, type Sql } from '../sql.ts'

/**
 * Identifies the state of all rows of which processes keep copies: keys, tenants, identities, trust, templates, secrets and
 * devices. Every transaction that changes such a row replaces the version by a random one, so only equality means anything.
 * Triggers do it, deferred to the commit: with immediate ones, two transactions that change different rows deadlock.
 */
export type ChangeVersion = string

/** A column for any statement: the version in the snapshot that the statement reads. */
export const changeVersion: Sql = sql`(select version from change_version) as change_version`

/** What a read has seen: all changes up to a version, and the database's clock. */
export type Moment = { change_version: ChangeVersion; now: string }

const currentMoment = sql`select version as change_version, service_now() as now from change_version`

export async function queryMoment(db: Db): Promise<Moment> {
  return requireMoment(await db.query<Moment>(currentMoment))
}

/** Runs a query and returns its rows with the moment of the snapshot that they were read from. */
export async function queryWithMoment<Row extends object>(
  db: Db,
  query: Sql,
): Promise<{ moment: Moment; rows: Row[] }> {
  // The outer join returns the moment even if the query finds nothing.
  const rows = await db.query<Row & Moment & { found: true | null }>(sql`
    select moment.change_version, moment.now, result.*
    from (${currentMoment}) as moment
    left join (select true as found, query.* from (${query}) as query) as result on true`)
  return { moment: requireMoment(rows), rows: rows.filter(({ found }) => found !== null) }
}

function requireMoment([row]: Moment[]): Moment {
  if (row === undefined) throw new Error('The table change_version is empty.')
  return { change_version: row.change_version, now: row.now }
}
