import type { Db } from './open.ts'
import { sql } from './sql.ts'

export const heartbeatInterval_ms = 15_000

/** Notes that a worker runs, for `vidimus doctor`: without traffic there is no backlog that would show its absence. */
export async function recordHeartbeat({ db }: { db: Db }): Promise<void> {
  await db.execute(sql`
    insert into worker_heartbeat (at) values (service_now())
    on conflict (is_only) do update set at = excluded.at where worker_heartbeat.at < excluded.at`)
}

/** How long ago a worker last ran, in seconds. Undefined if none ever has. */
export async function readHeartbeatAge(db: Db): Promise<number | undefined> {
  const [row] = await db.query<{ age_seconds: number }>(
    sql`select extract(epoch from service_now() - at)::float8 as age_seconds from worker_heartbeat`,
  )
  return row?.age_seconds
}
