import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Database } from '../../apps/service/src/engine/db/open.ts'
import { sql, type Sql } from '../../apps/service/src/engine/db/sql.ts'
import { maxConnectionsPerHost } from '../../apps/service/src/engine/egress/connection-pool.ts'
import { newVerificationId } from '../../apps/service/src/engine/basics/ids.ts'
import { insertCompletedVerifications } from '../../apps/service/test/database/completed-verifications.ts'
import { packedProgram } from '../../apps/service/test/processes/packed-program.ts'
import { startProcesses } from '../../apps/service/test/processes/processes.ts'
import { testEnvironment } from '../../apps/service/test/service.ts'
import { waitUntil } from '../../apps/service/test/wait-until.ts'
import type { Bench } from '../figure.ts'
import { startReceiver } from '../start-receiver.ts'
import { compareSides, measureSide, type Side } from './compare-sides.ts'
import { installPeers } from './install.ts'
import { createPeerDatabase, openBenchConnections } from './peer-database.ts'
import { runProgram, startProgram } from './start-program.ts'

const rounds = 3
const backlog = 30_000
/** A worker is measured when it has run long enough to get all connections to a host, and has delivered enough to be compiled. */
const rampUp = { ms: 3500, deliveries: 3000 }
const measured_ms = 4000
const tenant_id = '018f0000-0000-7000-8000-000000000001'

/** From the queue to the log of attempts: our worker, and graphile-worker and pg-boss with undici, each with a backlog for one host. */
export const deliveries: Bench = async () => {
  installPeers()
  await using receiver = await startReceiver()
  await using ours = await openOurs(receiver.url)
  await using graphileWorker = await openPeer('graphile-worker', receiver.url)
  await using pgBoss = await openPeer('pg-boss', receiver.url)
  return await compareSides({
    name: 'peers.deliveries',
    operation: { one: 'delivery', many: 'deliveries' },
    rounds,
    ours: ours.measure,
    peers: { graphile_worker: graphileWorker.measure, pg_boss: pgBoss.measure },
  })
}

async function openOurs(url: string) {
  const environment = { WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'error' }
  const service = await startProcesses(0, { environment })
  const db = openBenchConnections(service.database_url)
  const { tenant_id: ourTenant } = await service.tenant()
  const measure: Side = async () => {
    await db.execute(sql`truncate webhook_events, webhook_deliveries`)
    await service.ctx.db.transaction((tx) =>
      insertCompletedVerifications(tx, { tenant_id: ourTenant, url, count: backlog }),
    )
    await db.execute(sql`analyze`)
    await using worker = await startProgram({
      file: packedProgram(),
      args: ['work'],
      environment: testEnvironment(service.database_url, environment),
    })
    return await measureBacklog(db, worker.pid, sql`select count(*) as count from webhook_deliveries`)
  }
  return {
    measure,
    async [Symbol.asyncDispose]() {
      await db.close()
      await service[Symbol.asyncDispose]()
    },
  }
}

async function openPeer(name: string, url: string) {
  const { db, url: database_url, [Symbol.asyncDispose]: close } = await createPeerDatabase()
  const program = {
    file: fileURLToPath(new URL(`./programs/${name}.ts`, import.meta.url)),
    environment: {
      NODE_ENV: 'production',
      DATABASE_URL: database_url,
      CONNECTIONS_PER_HOST: String(maxConnectionsPerHost),
      DB_POOL_SIZE: '20',
    },
  }
  await db.execute(
    sql`insert into tenants values (${tenant_id}, 'A merchant', 0, ${`whsec_${'a'.repeat(43)}`})`,
  )
  const measure: Side = async () => {
    await insertPeerVerifications(db, url)
    await runProgram({ ...program, args: ['enqueue'] })
    await db.execute(sql`analyze`)
    await using worker = await startProgram({ ...program, args: ['work'] })
    return await measureBacklog(db, worker.pid, sql`select count(*) as count from deliveries`)
  }
  return { measure, [Symbol.asyncDispose]: close }
}

/** The same verifications as `insertCompletedSessions`, in the peers' tables. */
async function insertPeerVerifications(db: Database, url: string): Promise<void> {
  const today = new Date().toISOString().slice(0, 10)
  const ids = Array.from({ length: backlog }, () => newVerificationId('0', today))
  await db.execute(sql`truncate sessions, results, deliveries`)
  // Whatever a killed worker left of the last round.
  await db.execute(sql`drop schema if exists graphile_worker cascade`)
  await db.execute(sql`drop schema if exists pgboss cascade`)
  await db.execute(sql`
    insert into sessions
      (id, tenant_id, environment, status, template, metadata, webhook_url, created_at, expires_at, responded_at)
    select id, ${tenant_id}, 'test', 'completed', 'age_over_18', '{"order":"A-123456"}', ${url},
      now() - interval '1 second', now() + interval '5 minutes', now()
    from unnest(${ids}::text[]) as given (id)`)
  await db.execute(sql`
    insert into results (verification_id, tenant_id, claims, credentials)
    select id, ${tenant_id}, '{"age_over_18":true,"given_name":"Erika","family_name":"Mustermann"}', '[]'
    from unnest(${ids}::text[]) as given (id)`)
}

/** Measures a worker that has just started, from the end of its ramp-up until the time is over or most of the backlog is delivered. */
async function measureBacklog(db: Database, pid: number, logged: Sql) {
  const readCount = async () => (await db.query<{ count: number }>(logged))[0]?.count ?? 0
  await sleep(rampUp.ms)
  await waitUntil(async () => (await readCount()) >= rampUp.deliveries, { within_ms: 60_000, every_ms: 250 })
  return measureSide({
    db,
    pid,
    async run() {
      const started = performance.now()
      const first = await readCount()
      let count = 0
      do {
        await sleep(250)
        count = await readCount()
      } while (performance.now() < started + measured_ms && count < backlog * 0.95)
      const took_ms = performance.now() - started
      return { count: count - first, per_second: ((count - first) / took_ms) * 1000 }
    },
  })
}
