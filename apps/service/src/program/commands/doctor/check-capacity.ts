import type { Config } from '../../../engine/config/index.ts'
import type { DatabaseFacts } from '../../../engine/db/index.ts'
import { ok, warning, type DoctorFinding } from './finding.ts'

/** An erasure of an old session takes about 700 locks: docs/operate/operations.md. */
const minLocks = 256
/** For `migrate`, `doctor` and a person. */
const spareConnections = 5

/** Whether PostgreSQL has room for one `serve` and one `work`. It cannot know of others. */
export function checkCapacity(
  {
    max_connections,
    max_locks_per_transaction,
  }: Pick<DatabaseFacts, 'max_connections' | 'max_locks_per_transaction'>,
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
  if (NODE_ENV === 'production' && max_locks_per_transaction < minLocks)
    findings.push(
      warning(
        'database locks',
        `max_locks_per_transaction is ${max_locks_per_transaction}: a few erasures of old sessions at a time can fail with “out of shared memory”.`,
        `Run: alter system set max_locks_per_transaction = ${minLocks}; and restart PostgreSQL, standbys first.`,
      ),
    )
  return findings.length > 0 ? findings : [ok('database capacity', 'is enough for a `serve` and a `work`')]
}
