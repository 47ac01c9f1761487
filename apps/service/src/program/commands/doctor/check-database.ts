import type { Config, Secrets } from '../../../engine/config/index.ts'
import {
  type Database,
  type DatabaseFacts,
  TransactionPoolingError,
  explainUnreachable,
  inspectDatabase,
  pendingMigrations,
  requireSessions,
  unknownMigrations,
} from '../../../engine/db/index.ts'
import type { MasterKey } from '../../../engine/keyring/index.ts'
import { checkMasterKey } from './check-settings.ts'
import {
  type DoctorFinding,
  checkCapacity,
  checkPartitions,
  checkSpace,
  ok,
  wrong,
} from '../../../operations/index.ts'

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
