import type { Database } from '../open.ts'
import { sql } from '../sql.ts'

/** Facts about a database, read from the database itself. */
export type DatabaseFacts = {
  version: string
  version_number: number
  user: string
  /** Whether this user may create tables: partitions are created every day. */
  may_create: boolean
  /** Tables that this user does not own, and therefore cannot migrate or add partitions to. */
  foreign_tables: number
  max_connections: number
  /** Of anybody, without those that PostgreSQL keeps for itself. */
  connections_in_use: number
  max_locks_per_transaction: number
  /** How far the database's clock is ahead of this machine's. */
  clock_ahead_seconds: number
  /** How far the service's clock is ahead of the database's. Only tests change it. */
  service_ahead_seconds: number | null
  /** Days ahead for which every daily table has a partition; null if the schema does not exist. */
  days_ahead: number | null
}

export async function inspectDatabase(db: Database): Promise<DatabaseFacts> {
  const before = Date.now()
  const [facts] = await db.query<
    Omit<DatabaseFacts, 'clock_ahead_seconds' | 'service_ahead_seconds' | 'days_ahead'> & { now: number }
  >(sql`
    select current_setting('server_version') as version, current_setting('server_version_num')::integer as version_number,
      current_user::text as user, has_schema_privilege(current_schema(), 'create') as may_create,
      (select count(*)::integer from pg_tables where schemaname = current_schema() and not pg_has_role(tableowner, 'usage'))
        as foreign_tables,
      current_setting('max_connections')::integer as max_connections,
      (select count(*)::integer from pg_stat_activity where backend_type = 'client backend') as connections_in_use,
      current_setting('max_locks_per_transaction')::integer as max_locks_per_transaction,
      extract(epoch from clock_timestamp())::float8 as now`)
  if (facts === undefined) throw new Error('a select without a from clause returned no row')
  const here = (before + Date.now()) / 2000
  const { now, ...known } = facts
  return { ...known, clock_ahead_seconds: now - here, ...(await inspectSchema(db)) }
}

/** Only a migrated database has these tables. They are looked up first, because a missing table would be an error. */
async function inspectSchema(
  db: Database,
): Promise<Pick<DatabaseFacts, 'service_ahead_seconds' | 'days_ahead'>> {
  const [there] = await db.query<{ schema: boolean }>(
    sql`select to_regclass('daily_tables') is not null as schema`,
  )
  if (there?.schema !== true) return { service_ahead_seconds: null, days_ahead: null }
  const [row] = await db.query<{ service_ahead_seconds: number; days_ahead: number }>(sql`
    select extract(epoch from service_now() - clock_timestamp())::float8 as service_ahead_seconds,
      coalesce(min(newest.days), -1)::integer as days_ahead
    from daily_tables
    left join lateral (
      select max(to_date(right(inhrelid::regclass::text, 8), 'YYYYMMDD')) - service_day() as days
      from pg_inherits where inhparent = to_regclass(daily_tables.name)
    ) newest on true`)
  return row ?? { service_ahead_seconds: null, days_ahead: null }
}

/**
 * The folder of the database, if it is on this machine and this user may know it (`pg_read_all_settings`): PostgreSQL hides the setting from
 * others, and says nothing of the disk.
 */
export async function readDataFolder(db: Database): Promise<string | undefined> {
  const [row] = await db.query<{ folder: string }>(sql`
    select setting as folder from pg_settings
    where name = 'data_directory'
      and (inet_server_addr() is null or inet_server_addr() <<= inet '127.0.0.0/8' or inet_server_addr() = inet '::1')`)
  return row?.folder
}

/** What the database takes on disk. Reads the size of each file, so nothing should wait for it that is in a hurry. */
export async function readDatabaseSize(db: Database): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(sql`select pg_database_size(current_database()) as bytes`)
  return row?.bytes ?? 0
}
