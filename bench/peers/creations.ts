import { randomBytes, randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Database } from '../../apps/service/src/engine/db/open.ts'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { hashKey } from '../../apps/service/src/accounts/api-keys/authenticate-key.ts'
import { startProcesses } from '../../apps/service/test/processes/processes.ts'
import { creationBody } from '../create.ts'
import type { Bench, Figure } from '../figure.ts'
import type { Load } from '../load.ts'
import { load, portOf } from '../run-load.ts'
import { compareSides, measureSide, type Side } from './compare-sides.ts'
import { installPeers } from './install.ts'
import { createPeerDatabase, openBenchConnections } from './peer-database.ts'
import { startProgram } from './start-program.ts'

const rounds = 3
const seconds = 4
/** Enough for the compiler of each side. */
const warmUp_requests = 3000
const connections = 64
const manyTenants = 200
const quota = 2_000_000_000

/** Creating over HTTP in one process each: ours, and Fastify with Drizzle and a transaction for each request. */
export const creations: Bench = async () => {
  installPeers()
  return [
    ...(await compareCreations('peers.creations.hot_tenant', 1)),
    ...(await compareCreations('peers.creations.many_tenants', manyTenants)),
  ]
}

async function compareCreations(name: string, tenants: number): Promise<Figure[]> {
  await using ours = await openOurs(tenants)
  await using peer = await openPeer(tenants)
  return await compareSides({
    name,
    operation: { one: 'creation', many: 'creations' },
    rounds,
    ours: ours.measure,
    peers: { drizzle: peer.measure },
  })
}

async function openOurs(tenants: number) {
  const service = await startProcesses(1, { environment: { LOG_LEVEL: 'error' } })
  const db = openBenchConnections(service.database_url)
  const merchants = await Promise.all(
    Array.from({ length: tenants }, () => service.tenant({ daily_quota: quota })),
  )
  const target = {
    db,
    pid: service.processes[0]?.child.pid ?? 0,
    port: portOf(service),
    keys: merchants.map(({ key }) => key),
  }
  await loadCreations(target, { seconds: 60, requests: warmUp_requests })
  const measure: Side = () => measureSide({ ...target, run: () => loadCreations(target, { seconds }) })
  return {
    measure,
    async [Symbol.asyncDispose]() {
      await db.close()
      await service[Symbol.asyncDispose]()
    },
  }
}

async function openPeer(tenants: number) {
  const { db, url, [Symbol.asyncDispose]: closeDatabase } = await createPeerDatabase()
  const keys = await insertTenants(db, tenants)
  const program = await startProgram({
    file: fileURLToPath(new URL('./programs/drizzle-service.ts', import.meta.url)),
    environment: { NODE_ENV: 'production', DATABASE_URL: url, DB_POOL_SIZE: '20' },
  })
  const target = { db, pid: program.pid, port: program.port, keys }
  await loadCreations(target, { seconds: 60, requests: warmUp_requests })
  const measure: Side = () => measureSide({ ...target, run: () => loadCreations(target, { seconds }) })
  return {
    measure,
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]()
      await closeDatabase()
    },
  }
}

async function insertTenants(db: Database, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, () => `vk_test_${randomBytes(24).toString('base64url')}`)
  for (const key of keys) {
    const tenant_id = randomUUID()
    await db.execute(sql`insert into tenants values (${tenant_id}, 'A merchant', ${quota}, 'whsec_unused')`)
    await db.execute(sql`
      insert into api_keys (tenant_id, environment, hash, scopes)
      values (${tenant_id}, 'test', ${hashKey(key)}, '{verifications:create,verifications:read}')`)
  }
  return keys
}

async function loadCreations(
  { port, keys }: { port: number; keys: string[] },
  duration: Pick<Load, 'seconds' | 'requests'>,
) {
  const { rate, count } = await load({
    port,
    connections,
    ...duration,
    method: 'POST',
    paths: ['/v1/verifications'],
    keys,
    body: creationBody,
    idempotent: true,
    expect: 201,
  })
  return { count, per_second: rate }
}
