import type { Config } from '../../engine/config/index.ts'
import {
  type Database,
  type DatabaseFacts,
  failedBeforeCommit,
  isDiskFull,
  requireSpace,
  serverUnavailable,
} from '../../engine/db/index.ts'
import { type DoctorFinding, ok, warning, wrong } from './finding.ts'

/** Fills a few pages, because a full disk still answers every read. */
export async function checkSpace(db: Database): Promise<DoctorFinding[]> {
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

export function checkPartitions({ days_ahead }: DatabaseFacts): DoctorFinding[] {
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
