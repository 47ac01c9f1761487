import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { readConfig } from '../../apps/service/src/engine/config/config.ts'
import { openContext, type ServiceContext } from '../../apps/service/src/program/context.ts'
import { openLog } from '../../apps/service/src/engine/observability/log.ts'
import type { InjectedFault } from '../../apps/service/test/processes/inject-faults.ts'
import { freePort } from '../../apps/service/test/processes/redis-server.ts'
import { runProgram } from '../../apps/service/test/processes/run-program.ts'
import {
  newMerchant,
  testEnvironment,
  type Merchant,
  type NewTenant,
} from '../../apps/service/test/service.ts'
import { waitUntil } from '../../apps/service/test/wait-until.ts'
import { createDatabaseNode, type DatabaseNode } from './database/database-node.ts'
import { startEtcd, type EtcdMember } from './database/etcd.ts'
import { passwords } from './database/patroni-settings.ts'
import { describeHealth } from './describe-health.ts'
import { startHaproxy, type ClusterProxy } from './processes/haproxy.ts'
import { startManaged, type ManagedProcess } from './processes/managed-process.ts'
import { createNetwork } from './processes/network.ts'
import { removeCluster } from './processes/remove-cluster.ts'

export type ClusterOptions = {
  /** PostgreSQL servers. With two or more, a commit is on two of them before it is acknowledged. */
  nodes?: number
  /** Members of etcd: one by default for up to two nodes, otherwise three. */
  etcd_members?: number
  /** False: a commit is acknowledged before a standby has it, so that a failover loses the latest. */
  synchronous?: boolean
  /** Whether a primary that reaches every other node stays while etcd is lost. */
  failsafe?: boolean
  /** The interface of etcd that Patroni uses: v2 by default, which is safe with every version of Patroni. */
  etcd_api?: 'v2' | 'v3'
  /** Gives each database node a file system of this size, in memory. Needs root. */
  disk_mb?: number
  /** Gives each database node a clock that can be set. Needs libfaketime. */
  clocks?: boolean
  serves?: number
  works?: number
  /** Further settings of the service. */
  environment?: Record<string, string>
  /** Faults to inject into the source of `serve` and `work`. */
  injectedFaults?: readonly InjectedFault[]
}

export type Cluster = {
  folder: string
  /** Where HAProxy serves the service. */
  address: string
  /** The primary, through HAProxy. */
  database_url: string
  nodes: DatabaseNode[]
  etcd: EtcdMember[]
  haproxy: ClusterProxy
  redis: ManagedProcess
  serves: ServeProcess[]
  works: ManagedProcess[]
  /** The settings of the service's processes. */
  environment: Record<string, string>
  /** A context of this process on the same database. */
  ctx: ServiceContext & AsyncDisposable
  tenant(tenant?: NewTenant): Promise<Merchant>
  /** Runs a command of `vidimus` with the settings of the service. */
  run(...args: string[]): ReturnType<typeof runProgram>
  /** The node that Patroni calls primary; throws if there is none. */
  primary(): Promise<DatabaseNode>
  /** The node that has every acknowledged commit besides the primary; throws if there is none. */
  synchronousStandby(): Promise<DatabaseNode>
  /** Waits for a primary, to which every other node streams, and for `serve` to be ready. */
  waitUntilHealthy(within_ms?: number): Promise<void>
} & AsyncDisposable

type ServeProcess = ManagedProcess & { address: string; isReady(): Promise<boolean> }

/** Starts PostgreSQL under Patroni with etcd, HAProxy, Redis, `serve` and `work`, on this machine and with ports of their own. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-cluster-'))
  chmodSync(folder, 0o755) // PostgreSQL runs as another user
  for (const name of ['log', 'pid', 'checkpoints']) mkdirSync(join(folder, name))
  try {
    return await start(folder, options)
  } catch (error) {
    await removeCluster(folder)
    throw error
  }
}

async function start(folder: string, options: ClusterOptions): Promise<Cluster> {
  const { nodes: count = 3, serves: serveCount = 2, works: workCount = 2 } = options
  const {
    synchronous = count > 1,
    etcd_members = count > 2 ? 3 : 1,
    failsafe = false,
    etcd_api = 'v2',
    clocks = false,
  } = options
  const network = createNetwork(folder)
  const etcd = await startEtcd(folder, network.host, etcd_members)
  const addresses = etcd.map(({ address }) => address)
  const nodes: DatabaseNode[] = []
  for (let number = 1; number <= count; number += 1) {
    nodes.push(
      await createDatabaseNode({
        folder,
        number,
        network,
        etcd: addresses,
        nodes: count,
        synchronous,
        failsafe,
        etcd_api,
        disk_mb: options.disk_mb,
        clocks,
      }),
    )
    // The first node initialises the database, and the others copy it.
    if (number === 1)
      await waitUntil(async () => (await nodes[0]?.ask('/primary')) === 200, {
        within_ms: 90_000,
        every_ms: 100,
      })
  }
  const serve_ports = await Promise.all(Array.from({ length: serveCount }, freePort))
  const haproxy = await startHaproxy({ folder, nodes: nodes.map(({ place }) => place), serve_ports })
  const redis_port = await freePort()
  const redis = startManaged(folder, {
    name: 'redis',
    command: 'redis-server',
    args: ['--port', String(redis_port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
  })
  await waitUntil(() => replicates(nodes, synchronous), { within_ms: 120_000, every_ms: 200 })

  const server_url = `postgres://postgres:${passwords.superuser}@127.0.0.1:${haproxy.database_port}`
  await waitUntil(() => createDatabase(`${server_url}/postgres`), { within_ms: 30_000, every_ms: 200 })
  const database_url = `${server_url}/vidimus`
  const address = `http://127.0.0.1:${haproxy.service_port}`
  const environment = testEnvironment(database_url, {
    REDIS_URL: `redis://127.0.0.1:${redis_port}`,
    BASE_URL: address,
    RATE_LIMITS: 'key=9999999/60,ip=9999999/60,session=9999999/60',
    TRUSTED_PROXIES: '127.0.0.0/8',
    WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8',
    WEBHOOK_BACKOFF_SECONDS: '1,2,5,10,20,30',
    AUDIT_CHECKPOINT_DIR: join(folder, 'checkpoints'),
    ...options.environment,
  })
  const run = (...args: string[]) => runProgram(args, environment)
  const migrated = await run('migrate')
  if (migrated.status !== 0) throw new Error(`vidimus migrate failed: ${migrated.stderr}`)
  const startService = (name: string, command: string, port = 0) =>
    startManaged(folder, {
      name,
      command: process.execPath,
      args: [injectFaults, command],
      env: {
        ...environment,
        PORT: String(port),
        INJECTED_FAULTS: JSON.stringify(options.injectedFaults ?? []),
      },
    })
  const serves = serve_ports.map((port, index) => {
    const own = `http://127.0.0.1:${port}`
    const started = startService(`serve${index + 1}`, 'serve', port)
    return { ...started, address: own, isReady: () => isReady(own) }
  })
  const works = Array.from({ length: workCount }, (_, index) => startService(`work${index + 1}`, 'work'))
  const healthy = async () => {
    const ready = await Promise.all(serves.map((serve) => serve.isReady()))
    return (
      ready.every(Boolean) && (serveCount === 0 || (await isReady(address))) && replicates(nodes, synchronous)
    )
  }
  await waitUntil(healthy, { within_ms: 60_000, every_ms: 100 })
  const ctx = await openContext({ ...readConfig(environment), log: openLog({ LOG_LEVEL: 'silent' }) })
  return {
    folder,
    address,
    database_url,
    nodes,
    etcd,
    haproxy,
    redis,
    serves,
    works,
    environment,
    ctx,
    tenant: (tenant) => newMerchant(ctx, address, tenant),
    run,
    primary: () => findNode(nodes, '/primary'),
    synchronousStandby: () => findNode(nodes, '/synchronous'),
    async waitUntilHealthy(within_ms = 120_000) {
      await waitUntil(healthy, { within_ms, every_ms: 200 }).catch(async (cause: unknown) => {
        throw new Error(await describeHealth({ folder, nodes, serves }), { cause })
      })
    },
    async [Symbol.asyncDispose]() {
      await ctx[Symbol.asyncDispose]()
      await removeCluster(folder)
    },
  }
}

const injectFaults = fileURLToPath(
  new URL('../../apps/service/test/processes/inject-faults.ts', import.meta.url),
)

async function findNode(nodes: readonly DatabaseNode[], path: string): Promise<DatabaseNode> {
  const statuses = await Promise.all(nodes.map((node) => node.ask(path)))
  const found = nodes[statuses.indexOf(200)]
  if (found === undefined) throw new Error(`no node answers ${path} with 200`)
  return found
}

/** Whether there is one primary to which every other node streams, one of them synchronously if that is wanted. */
async function replicates(nodes: readonly DatabaseNode[], synchronous: boolean): Promise<boolean> {
  try {
    const primary = await findNode(nodes, '/primary')
    const states = await primary.query<{ state: string; sync_state: string }>(
      'select state, sync_state from pg_stat_replication',
    )
    const streaming = states.filter(({ state }) => state === 'streaming')
    if (streaming.length < nodes.length - 1) return false
    return !synchronous || streaming.some(({ sync_state }) => sync_state !== 'async')
  } catch {
    // There is no primary, or it does not answer.
    return false
  }
}

async function isReady(address: string): Promise<boolean> {
  const response = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(
    () => undefined,
  )
  return response?.status === 200
}

async function createDatabase(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  client.on('error', () => {}) // the query reports it
  try {
    await client.connect()
    await client.query('create database vidimus')
    return true
  } catch {
    // HAProxy has not found the primary yet.
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
