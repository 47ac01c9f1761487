import { Client } from 'pg'
import { serverVariable } from '../../apps/service/test/database/postgres.ts'
import { startPostgresServer } from '../../apps/service/test/processes/postgres-server.ts'
import { startRedisServer } from '../../apps/service/test/processes/redis-server.ts'

export type OwnServers = {
  postgres: { url: string; pid: number }
  redis: { url: string; pid: number }
  /** A connection as a role of its own, so that what the benchmark asks is not counted as what the service asks. */
  admin: Client
} & AsyncDisposable

/**
 * A PostgreSQL and a Redis that serve nothing but this benchmark, so that whatever they use was used by it. No checkpoint
 * and no autovacuum runs between two readings, unless the settings say so: both would add work that belongs to no operation in particular.
 */
export async function startOwnServers(settings: Record<string, string> = {}): Promise<OwnServers> {
  await using stack = new AsyncDisposableStack()
  const postgres = stack.use(
    await startPostgresServer({
      shared_preload_libraries: 'pg_stat_statements',
      max_connections: '400',
      autovacuum: 'off',
      checkpoint_timeout: '1h',
      max_wal_size: '16GB',
      ...settings,
    }),
  )
  const redis = stack.use(await startRedisServer())
  await postgres.run('create extension pg_stat_statements')
  await postgres.run('create role observer superuser login')
  const admin = new Client({ connectionString: postgres.url.replace('postgres@', 'observer@') })
  await admin.connect()
  stack.defer(() => admin.end())
  process.env[serverVariable] = postgres.url.replace(/\/postgres$/, '')
  process.env['TEST_REDIS_URL'] = redis.url
  const running = stack.move()
  return {
    postgres: { url: postgres.url, pid: postgres.pid() },
    redis: { url: redis.url, pid: redis.pid() },
    admin,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
