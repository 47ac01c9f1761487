import type { Db } from '../../apps/service/src/engine/db/open.ts'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { readThreads } from '../cost/cpu.ts'

/** The application name of the bench's own connections, which do not count. */
export const benchConnections = 'bench'

/** CPU time in µs: of a process with its threads, and of the PostgreSQL backends of its database by their process id. */
export type CpuTimes = { process_us: number; backends_us: Map<number, number> }

/** PostgreSQL must run on this machine. CPU time does not depend on what else the machine does. */
export async function readCpuTimes(db: Db, pid: number): Promise<CpuTimes> {
  const backends = await db.query<{ pid: number }>(sql`
    select pid from pg_stat_activity
    where datname = current_database() and application_name <> ${benchConnections}`)
  return {
    process_us: cpuTime_us(pid),
    backends_us: new Map(backends.map((backend) => [backend.pid, cpuTime_us(backend.pid)])),
  }
}

/** The CPU time between two readings. A backend that started in between counts from its start, one that ended does not count. */
export function cpuTimeBetween(
  before: CpuTimes,
  after: CpuTimes,
): { process_us: number; postgresql_us: number } {
  const backends = [...after.backends_us].map(([pid, us]) => us - (before.backends_us.get(pid) ?? 0))
  return {
    process_us: after.process_us - before.process_us,
    postgresql_us: backends.reduce((sum, us) => sum + us, 0),
  }
}

function cpuTime_us(pid: number): number {
  return readThreads(pid).reduce((sum, { us }) => sum + us, 0)
}
