import { Client } from 'pg'
import { createTestDatabase } from '../../apps/service/test/database/test-database.ts'
import { startProcesses } from '../../apps/service/test/processes/processes.ts'
import { startProgram } from '../../apps/service/test/processes/start-program.ts'
import { testEnvironment } from '../../apps/service/test/service.ts'
import { waitUntil } from '../../apps/service/test/wait-until.ts'
import { observeCpu } from '../cost/cpu.ts'
import { startOwnServers } from '../cost/servers.ts'
import { startReceiver } from '../start-receiver.ts'
import { countBytes } from './count-bytes.ts'
import { readSizes } from './sizes.ts'

/** CPU time in microseconds and bytes, by name. */
export type Reading = { cpu: Record<string, number>; bytes: Record<string, number> }
export type Installation = Awaited<ReturnType<typeof startInstallation>>

/** What PostgreSQL does in production besides statements is part of the measurement. */
const productionSettings = { autovacuum: 'on', checkpoint_timeout: '5min', max_wal_size: '1GB' }
const rateLimits = 'key=9999999/60,ip=9999999/60,session=9999999/60'

/** A whole installation on servers of its own, with everything between its parts counted. */
export async function startInstallation() {
  await using stack = new AsyncDisposableStack()
  const servers = stack.use(await startOwnServers(productionSettings))
  const database = stack.use(await createTestDatabase())
  const postgres = stack.use(await countBytes(database.url))
  const redis = stack.use(await countBytes(servers.redis.url))
  const receiver = stack.use(await startReceiver())
  const webhooks = stack.use(await countBytes(receiver.url))
  const environment = {
    REDIS_URL: redis.url,
    RATE_LIMITS: rateLimits,
    WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8',
    METRICS_PORT: 'off',
  }
  const counted = { url: postgres.url, [Symbol.asyncDispose]: async () => {} }
  const service = stack.use(await startProcesses(1, { environment, database: counted }))
  const work = stack.use(
    startProgram({ args: ['work'], environment: testEnvironment(postgres.url, environment) }),
  )
  await waitUntil(() => work.output().includes('worker is running'), { within_ms: 120_000 })
  const [{ address, child } = { address: '', child: undefined }] = service.processes
  const http = stack.use(await countBytes(address))
  const admin = new Client({ connectionString: database.url.replace('postgres@', 'observer@') })
  await admin.connect()
  stack.defer(() => admin.end())
  const serveCpu = stack.use(
    observeCpu({ node: child?.pid, postgres: servers.postgres.pid, redis: servers.redis.pid }),
  )
  const workCpu = stack.use(observeCpu({ node: work.child.pid }))
  const running = stack.move()
  return {
    ctx: service.ctx,
    address: new URL(http.url).origin,
    webhook_url: webhooks.url,
    sizes: async () => {
      await admin.query('vacuum')
      return readSizes(admin)
    },
    async read(): Promise<Reading> {
      const { rows } = await admin.query<{ wal: number }>(
        "select (pg_current_wal_insert_lsn() - '0/0')::float8 as wal",
      )
      const { postgres: postgresCpu, redis: redisCpu, ...serve } = serveCpu.read()
      const { main, threads, runtime } = workCpu.read()
      return {
        cpu: {
          ...prefixed('serve', serve),
          ...prefixed('work', { main, threads, runtime }),
          postgres: postgresCpu,
          redis: redisCpu,
        },
        bytes: {
          wal: rows[0]?.wal ?? 0,
          ...prefixed('http', http.read()),
          ...prefixed('postgres', postgres.read()),
          ...prefixed('redis', redis.read()),
          ...prefixed('webhooks', webhooks.read()),
        },
      }
    },
    /** Waits until every webhook was delivered, every entry is in its chain, and a tick has signed it. */
    async untilIdle(): Promise<void> {
      await waitUntil(isIdle, { within_ms: 120_000, every_ms: 50 })
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }

  async function isIdle(): Promise<boolean> {
    const { rows } = await admin.query<{ idle: boolean }>(
      `select not exists (select from webhook_events) and not exists (select from audit_inbox)
         and not exists (select from audit_chains where seq > signed_seq) as idle`,
    )
    return rows[0]?.idle === true
  }
}

function prefixed(name: string, values: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [`${name}.${key}`, value]))
}
