import type { Context } from '../context.ts'
import type { Db } from './open.ts'
import { sql } from './sql.ts'

/** The current time of the database's clock, the only one that is stored or compared. */
export async function readClock(db: Db): Promise<string> {
  const [row] = await db.query<{ now: string }>(sql`select service_now() as now`)
  if (row === undefined) throw new Error('The clock query returned no row.')
  return row.now
}

export const reportClockInterval_ms = 15_000

/** Publishes how far the database's clock is ahead of this machine's, so that a primary whose clock is wrong is noticed. Nothing else depends on it. */
export async function reportClock({ db, metrics }: Pick<Context, 'db' | 'metrics'>): Promise<void> {
  const sent_ms = Date.now()
  const now = Date.parse(await readClock(db))
  // The database read its clock between the two readings of ours.
  metrics.clockOffset.set((now - (sent_ms + Date.now()) / 2) / 1000)
}

export const heartbeatInterval_ms = 15_000

/** Notes that a worker runs and when its loops last succeeded, for `vidimus doctor` and the console: without traffic there is no backlog that would show its absence. */
export async function recordHeartbeat({ db, metrics }: Pick<Context, 'db' | 'metrics'>): Promise<void> {
  await db.execute(sql`
    insert into worker_heartbeat (at) values (service_now())
    on conflict (is_only) do update set at = excluded.at where worker_heartbeat.at < excluded.at`)
  const loops = metrics.loops.succeededAgo()
  await db.execute(sql`
    insert into worker_loops (name, interval_seconds, succeeded_at)
    select name, interval_seconds, service_now() - make_interval(secs => age_seconds)
    from jsonb_to_recordset(${JSON.stringify(loops)}::jsonb)
      as loop (name text, interval_seconds double precision, age_seconds double precision)
    order by name
    on conflict (name) do update set interval_seconds = excluded.interval_seconds, succeeded_at = excluded.succeeded_at
    where worker_loops.succeeded_at < excluded.succeeded_at`)
  // Of another release. One that still runs records them again.
  await db.execute(sql`
    delete from worker_loops
    where name <> all (${loops.map(({ name }) => name)}) and succeeded_at < service_now() - interval '1 day'`)
}

export type LoopState = { name: string; interval_seconds: number; succeeded_at: string; age_seconds: number }

/** When each loop last succeeded, in any worker. */
export async function readLoops(db: Db): Promise<LoopState[]> {
  return db.query<LoopState>(sql`
    select name, interval_seconds, succeeded_at, greatest(extract(epoch from service_now() - succeeded_at), 0)::float8 as age_seconds
    from worker_loops order by name limit 200`)
}

/** How long ago a worker last ran, in seconds. Undefined if none ever has. */
export async function readHeartbeatAge(db: Db): Promise<number | undefined> {
  const [row] = await db.query<{ age_seconds: number }>(
    sql`select extract(epoch from service_now() - at)::float8 as age_seconds from worker_heartbeat`,
  )
  return row?.age_seconds
}
