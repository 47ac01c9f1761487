import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { observeCpu } from './cpu.ts'
import type { OwnServers } from './servers.ts'

/** CPU time is in microseconds. */
export type Usage = {
  /** The main thread of the Node process. */
  main: number
  /** Its worker threads, which verify. */
  threads: number
  /** V8's and libuv's own threads: garbage collection, compilation, files, DNS. */
  runtime: number
  /** All processes of the PostgreSQL server. */
  postgres: number
  redis: number
  wal_bytes: number
  /** Statements sent to PostgreSQL, without BEGIN, COMMIT and ROLLBACK. */
  statements: number
  /** Times the process waited for PostgreSQL or Redis: every statement, also BEGIN and COMMIT, and every batch of commands. */
  round_trips: number
}

export const noUsage: Usage = {
  main: 0,
  threads: 0,
  runtime: 0,
  postgres: 0,
  redis: 0,
  wal_bytes: 0,
  statements: 0,
  round_trips: 0,
}
// The keys of a constant are exactly those of its type.
export const columns = Object.keys(noUsage) as (keyof Usage)[]

/** What to observe: a Node process, and its database, whose statements count. Neither: the servers alone. */
export type Observed = { node?: number | undefined; database?: string }

/** Time for what goes on after the last response, such as log lines and times of last use. */
const pause_ms = 150

/** Observes a Node process and both servers while `work` runs, and returns what they used. */
export async function measureUsage(
  { postgres, redis, admin }: OwnServers,
  { node, database = '' }: Observed,
  work: () => Promise<void>,
): Promise<Usage> {
  const { rows } = await admin.query<{ pid: number }>('select pg_backend_pid() as pid')
  const except = rows.map(({ pid }) => pid)
  using cpu = observeCpu({ node, postgres: postgres.pid, except, redis: redis.pid })
  await using reads = observeRedisReads(redis.url)
  const before = { postgres: await readPostgres(), redis: await reads.count(), cpu: cpu.read() }
  await work()
  await sleep(pause_ms)
  const after = { cpu: cpu.read(), redis: await reads.count(), postgres: await readPostgres() }
  const calls = after.postgres.calls - before.postgres.calls
  return {
    main: after.cpu.main - before.cpu.main,
    threads: after.cpu.threads - before.cpu.threads,
    runtime: after.cpu.runtime - before.cpu.runtime,
    postgres: after.cpu.postgres - before.cpu.postgres,
    redis: after.cpu.redis - before.cpu.redis,
    wal_bytes: after.postgres.wal_bytes - before.postgres.wal_bytes,
    statements: calls - (after.postgres.control - before.postgres.control),
    // One of the reads is the question how many there were.
    round_trips: calls + after.redis - before.redis - 1,
  }

  async function readPostgres(): Promise<{ calls: number; control: number; wal_bytes: number }> {
    const result = await admin.query(
      `select coalesce(sum(calls), 0)::float8 as calls,
         coalesce(sum(calls) filter (where query ~* '^(begin|start|commit|rollback|end)\\M'), 0)::float8 as control,
         (pg_current_wal_insert_lsn() - '0/0')::float8 as wal_bytes
       from pg_stat_statements
       where dbid = (select oid from pg_database where datname = $1) and userid <> 'observer'::regrole`,
      [database],
    )
    return result.rows[0]
  }
}

/** Reads from the network by Redis: commands that arrive together, such as those of a pipeline, are one. */
function observeRedisReads(url: string) {
  const client = new Redis(url)
  return {
    async count(): Promise<number> {
      return Number(/total_reads_processed:(\d+)/.exec(await client.info('stats'))?.[1])
    },
    async [Symbol.asyncDispose]() {
      await client.quit()
    },
  }
}

/** The share of one operation. */
export function perOperation(usage: Usage, operations: number): Usage {
  return combineUsages([usage], ([value = 0]) => value / operations)
}

/** Computes each column from the same column of several usages. */
export function combineUsages(usages: readonly Usage[], how: (values: number[]) => number): Usage {
  const combined = { ...noUsage }
  for (const column of columns) combined[column] = how(usages.map((usage) => usage[column]))
  return combined
}
