import type { Config, Secrets } from '../../../engine/config/index.ts'
import {
  type Database,
  type DatabaseFacts,
  TransactionPoolingError,
  explainUnreachable,
  failedBeforeCommit,
  inspectDatabase,
  isDiskFull,
  pendingMigrations,
  requireSessions,
  requireSpace,
  serverUnavailable,
  unknownMigrations,
} from '../../../engine/db/index.ts'
import type { MasterKey } from '../../../engine/keyring/index.ts'
import { checkMasterKey } from './check-settings.ts'
import { type DoctorFinding, ok, warning, wrong } from './finding.ts'

const minVersion = 150_000
const clockTolerance_seconds = 5

type DatabaseReport = {
  findings: DoctorFinding[]
  /** Whether the schema is current, so that further checks can read it. */
  usable: boolean
}

export async function checkDatabase(
  db: Database,
  config: Config,
  { DATABASE_URL, master_keys }: Pick<Secrets, 'DATABASE_URL'> & { master_keys: readonly MasterKey[] },
): Promise<DatabaseReport> {
  let facts: DatabaseFacts
  try {
    const pooling = await checkPooler(db)
    if (pooling.length > 0) return { findings: pooling, usable: false }
    facts = await inspectDatabase(db)
  } catch (error) {
    const reason = explainUnreachable(error, DATABASE_URL)
    if (reason === undefined) throw error
    const cure =
      'Correct DATABASE_URL (postgres://user:password@host:5432/database), and check that PostgreSQL runs and accepts this machine.'
    return { findings: [wrong('database', reason, cure)], usable: false }
  }
  const schema = await checkSchema(db)
  const usable = schema.status === 'ok'
  return {
    findings: [
      ...checkFacts(facts),
      ...checkCapacity(facts, config),
      schema,
      ...(await checkSpace(db)),
      ...(usable ? [await checkMasterKey(db, master_keys), ...checkPartitions(facts)] : []),
    ],
    usable,
  }
}

function checkFacts(facts: DatabaseFacts): DoctorFinding[] {
  const {
    version,
    version_number,
    user,
    may_create,
    foreign_tables,
    clock_ahead_seconds: offset_seconds,
  } = facts
  const findings = [
    version_number < minVersion
      ? wrong('database', `PostgreSQL ${version} is not supported.`, 'Use PostgreSQL 15 or later.')
      : ok('database', `connected to PostgreSQL ${version} as ${user}`),
  ]
  if (!may_create || foreign_tables > 0)
    findings.push(
      wrong(
        'database rights',
        may_create
          ? `${foreign_tables} tables have another owner: ${user} can neither migrate them nor create partitions.`
          : `${user} may not create tables, so migrations and new partitions fail.`,
        `Run everything as the role that owns the database, or: alter database … owner to ${user}; reassign owned by … to ${user};`,
      ),
    )
  if (Math.abs(offset_seconds) > clockTolerance_seconds)
    findings.push(
      wrong(
        'clock',
        `The database clock is ${Math.abs(Math.round(offset_seconds))} s ${offset_seconds > 0 ? 'ahead of' : 'behind'} this machine’s clock.`,
        'Synchronise both with NTP: wallet responses are checked against the database clock.',
      ),
    )
  else findings.push(...checkServiceClock(facts))
  return findings
}

async function checkPooler(db: Database): Promise<DoctorFinding[]> {
  try {
    await requireSessions(db)
    return []
  } catch (error) {
    if (!(error instanceof TransactionPoolingError)) throw error
    return [wrong('database', error.message, 'Set pool_mode = session in PgBouncer.')]
  }
}

/** Fills a few pages, because a full disk still answers every read. */
async function checkSpace(db: Database): Promise<DoctorFinding[]> {
  try {
    await requireSpace(db)
    return []
  } catch (error) {
    if (isDiskFull(error))
      return [
        wrong(
          'database disk',
          'The disk of PostgreSQL is full: nothing can be created or recorded.',
          'Extend the volume, or delete what does not belong to PostgreSQL. Never delete files in pg_wal.',
        ),
      ]
    // A standby, or a role without rights: other checks report it.
    if (serverUnavailable(error) || failedBeforeCommit(error)) return []
    throw error
  }
}

function checkServiceClock({ service_ahead_seconds: offset_seconds }: DatabaseFacts): DoctorFinding[] {
  if (offset_seconds === null) return []
  if (Math.abs(offset_seconds) <= 1) return [ok('clock', 'matches the database clock')]
  return [
    wrong(
      'clock',
      `service_now() is ${Math.abs(Math.round(offset_seconds))} s off the database clock: a test has shifted it.`,
      'Restore it: create or replace function service_now() returns timestamptz language sql volatile parallel safe as $$ select clock_timestamp() $$;',
    ),
  ]
}

async function checkSchema(db: Database): Promise<DoctorFinding> {
  const pending = await pendingMigrations(db)
  if (pending.length > 0)
    return wrong(
      'schema',
      `${pending.length} migrations are missing, starting with ${pending[0]}.`,
      'Run `vidimus migrate`.',
    )
  const unknown = await unknownMigrations(db)
  if (unknown.length > 0)
    return wrong(
      'schema',
      `The database is newer than this program: it has ${unknown.join(', ')}.`,
      'Deploy the version that migrated it, or a later one. To go back, restore a backup.',
    )
  return ok('schema', 'is current')
}

function checkPartitions({ days_ahead }: DatabaseFacts): DoctorFinding[] {
  if (days_ahead === null || days_ahead >= 2) return [ok('partitions', 'are created in advance')]
  return [
    warning(
      'partitions',
      `Partitions exist only for the next ${Math.max(days_ahead, 0)} days: \`serve\` has not run recently.`,
      'Start `vidimus serve`, which creates seven days at its start and every hour. If it runs, search its log for “could not create partitions”.',
    ),
  ]
}

/** An erasure of an old verification takes about 700 locks: docs/operate/install.md. */
const minLocks = 256
/** For `migrate`, `doctor` and a person. */
const spareConnections = 5

/** Whether PostgreSQL has room for one `serve` and one `work`, and for one more process now. It cannot know how many there will be. */
export function checkCapacity(
  {
    max_connections,
    connections_in_use,
    max_locks_per_transaction,
  }: Pick<DatabaseFacts, 'max_connections' | 'connections_in_use' | 'max_locks_per_transaction'>,
  { NODE_ENV, DB_POOL_SIZE }: Pick<Config, 'NODE_ENV' | 'DB_POOL_SIZE'>,
): DoctorFinding[] {
  const needed = 2 * DB_POOL_SIZE + spareConnections
  const findings: DoctorFinding[] = []
  if (needed > max_connections)
    findings.push(
      warning(
        'database connections',
        `One \`serve\` and one \`work\` with DB_POOL_SIZE ${DB_POOL_SIZE} open up to ${2 * DB_POOL_SIZE} connections, but max_connections is ${max_connections}.`,
        `Set max_connections to ${needed} or more in PostgreSQL, or lower DB_POOL_SIZE.`,
      ),
    )
  else if (connections_in_use + DB_POOL_SIZE + spareConnections > max_connections)
    findings.push(
      warning(
        'database connections',
        `${connections_in_use} of ${max_connections} connections are in use: not enough are left for another process with DB_POOL_SIZE ${DB_POOL_SIZE}.`,
        'Lower DB_POOL_SIZE, which a `serve` rarely uses whole, or raise max_connections.',
      ),
    )
  if (NODE_ENV === 'production' && max_locks_per_transaction < minLocks)
    findings.push(
      warning(
        'database locks',
        `max_locks_per_transaction is ${max_locks_per_transaction}: a few erasures of old verifications at a time can fail with “out of shared memory”.`,
        `Run: alter system set max_locks_per_transaction = ${minLocks}; and restart PostgreSQL, standbys first.`,
      ),
    )
  if (findings.length > 0) return findings
  const used = `${connections_in_use} of ${max_connections} connections are in use`
  return [ok('database capacity', `is enough for a \`serve\` and a \`work\`; ${used}`)]
}
