import { fork } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { openRedis } from '../../apps/service/src/engine/redis/open.ts'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { maxSenders } from '../../apps/service/src/deliveries/webhooks/deliver/allocate-senders.ts'
import { createEndpoint } from '../../apps/service/src/deliveries/webhooks/endpoints/create-endpoint.ts'
import { eraseVerification } from '../../apps/service/src/verifications/retention/erase.ts'
import { insertCompletedVerifications } from '../../apps/service/test/database/completed-verifications.ts'
import { startProcesses, type ServiceProcesses } from '../../apps/service/test/processes/processes.ts'
import { startRedisServer } from '../../apps/service/test/processes/redis-server.ts'
import {
  startWorkerProcesses,
  type WorkerProcesses,
} from '../../apps/service/test/processes/worker-processes.ts'
import { testEnvironment, type Merchant } from '../../apps/service/test/service.ts'
import { waitUntil } from '../../apps/service/test/wait-until.ts'
import type { ReceiverReport, ReceiverMessage } from './flaky-receiver.ts'
import { sourceFaults } from '../../apps/service/test/injected-faults.ts'
import type { InjectedFault } from '../../apps/service/test/processes/inject-faults.ts'
import type { ChaosRun, ChaosReport } from '../chaos-run.ts'

const fullSize = 20_000
const eventsPerKill = 200
const workers = 2
const betweenKills_ms = 3000
const killsPerFlush = 10
const shareErased = 0.02
const shareRolledBack = 0.05
const attempts = 6
const endpointNames = ['endpoint-1', 'endpoint-2']
const environment = {
  WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8',
  WEBHOOK_BACKOFF_SECONDS: '1,1,2,2,3',
  METRICS_PORT: 'off',
  LOG_LEVEL: 'error',
}

/**
 * Commits or rolls back results while three in ten delivery attempts fail, workers are killed, Redis is flushed and some
 * verifications are erased. Each result is sent to the verification's own URL and to two endpoints. In the end the receiver has acknowledged every event, or six failed attempts are logged; nothing
 * was sent for a result that was rolled back, nor after an erasure was acknowledged. `lost` counts the violations.
 */
export const deliverUnderKills: ChaosRun = ({ n = fullSize }) => run('webhooks', n, [])

/** The same with an injected fault: an event is marked as delivered before it is sent. The run must detect lost events. */
export const deliverWithInjectedFault: ChaosRun = ({ n = fullSize }) =>
  run('webhooks.injected', n, sourceFaults.webhookMarkedBeforeSending)

/** The same with another: events of endpoints are signed with the tenant's secret. The run must detect invalid signatures. */
export const deliverWithWrongSecret: ChaosRun = ({ n = fullSize }) =>
  run('webhooks.injected.secret', n, sourceFaults.signedWithTenantSecret)

async function run(name: string, events: number, injectedFaults: InjectedFault[]): Promise<ChaosReport> {
  await using service = await startProcesses(0, { environment })
  const merchant = await service.tenant()
  await using receiver = await startReceiver()
  await createReceivers(service, merchant, receiver)
  await using redis = await startRedisServer()
  await using workerProcesses = await startWorkerProcesses({
    workers,
    environment: testEnvironment(service.database_url, { ...environment, REDIS_URL: redis.url }),
    injectedFaults,
  })
  const kills = Math.ceil(events / eventsPerKill)
  const [written] = await Promise.all([
    writeResults(service, merchant, { events, kills, receiver }),
    killWorkers(workerProcesses, kills, redis.url),
  ])
  const queued = async () =>
    (await service.ctx.db.query(sql`select 1 from webhook_events limit 1`)).length > 0
  await waitUntil(async () => !(await queued()), { within_ms: 300_000, every_ms: 200 })
  return await buildReport(name, service, { ...written, report: await receiver.report(), kills })
}

/** Every verification has its own URL, and the tenant has two endpoints: each of the three receivers gets each event. */
async function createReceivers(
  { ctx }: ServiceProcesses,
  { tenant_id, key_id, webhook_secret }: Merchant,
  receiver: Receiver,
): Promise<void> {
  receiver.notify({ path: '/hook', secret: webhook_secret })
  const by = { kind: 'key', key_id, tenant_id, environment: 'test', scopes: [] } as const
  for (const name of endpointNames) {
    const path = `/${name}`
    const url = new URL(path, receiver.url).href
    const input = { url, events: ['verification.completed' as const], description: '', enabled: true }
    const { secret } = await createEndpoint(ctx, by, input)
    receiver.notify({ path, secret })
  }
}

async function startReceiver() {
  const child = fork(new URL('./flaky-receiver.ts', import.meta.url))
  const [listening]: { port: number }[] = await once(child, 'message')
  const notify = (message: ReceiverMessage) => void child.send(message)
  return {
    url: `http://127.0.0.1:${listening?.port}/hook`,
    notify,
    async report(): Promise<ReceiverReport> {
      notify('report')
      const [report]: ReceiverReport[] = await once(child, 'message')
      if (report === undefined) throw new Error('the receiver exited')
      return report
    },
    async [Symbol.asyncDispose]() {
      child.kill()
    },
  }
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** Kills workers at random, and flushes Redis now and then. */
async function killWorkers(
  workerProcesses: WorkerProcesses,
  kills: number,
  redis_url: string,
): Promise<void> {
  const redis = openRedis(redis_url)
  for (let count = 1; count <= kills; count += 1) {
    await sleep(betweenKills_ms)
    await workerProcesses.replaceOne()
    if (count % killsPerFlush === 0) await redis.flushall()
  }
  redis.disconnect()
}

type WrittenVerifications = { committed: string[]; rolledBack: string[]; erased: Set<string> }
type WriteOptions = { events: number; kills: number; receiver: Receiver }

/** Commits events throughout the kills, rolls some transactions back, and erases a few verifications shortly afterwards. */
async function writeResults(
  { ctx }: ServiceProcesses,
  merchant: Merchant,
  { events, kills, receiver }: WriteOptions,
): Promise<WrittenVerifications> {
  const written: WrittenVerifications = { committed: [], rolledBack: [], erased: new Set() }
  const erasures: Promise<void>[] = []
  const batch = 20
  const pause_ms = (kills * betweenKills_ms) / (events / batch)
  const { tenant_id, key_id } = merchant
  const erase = async (id: string) => {
    await sleep(randomInt(1500))
    await eraseVerification(ctx, { kind: 'key', key_id, tenant_id, environment: 'test', scopes: [] }, id)
    receiver.notify({ erased: id })
    written.erased.add(id)
  }
  while (written.committed.length < events) {
    const rollsBack = Math.random() < shareRolledBack
    let ids: string[] = []
    await ctx.db
      .transaction(async (tx) => {
        ids = await insertCompletedVerifications(tx, { tenant_id, url: receiver.url, count: batch })
        if (rollsBack) throw new Error('rolled back on purpose')
      })
      .catch((error: unknown) => {
        if (!rollsBack) throw error
      })
    if (rollsBack) written.rolledBack.push(...ids)
    else written.committed.push(...ids)
    if (!rollsBack) erasures.push(...ids.filter(() => Math.random() < shareErased).map(erase))
    await sleep(pause_ms)
  }
  await Promise.all(erasures)
  return written
}

type RunObservations = WrittenVerifications & { report: ReceiverReport; kills: number }

async function buildReport(
  name: string,
  { ctx }: ServiceProcesses,
  { committed, rolledBack, erased, report, kills }: RunObservations,
): Promise<ChaosReport> {
  const rows = await ctx.db.query<{
    event: string
    verification_id: string
    delivered: number
    failed: number
    interrupted: number
  }>(sql`
    select case attempt.endpoint_id when '' then '/hook' else '/' || split_part(endpoint.url, '/', 4) end || ' ' || verification_id as event,
      verification_id, count(*) filter (where outcome = 'delivered') as delivered,
      count(*) filter (where outcome not in ('delivered', 'interrupted')) as failed,
      count(*) filter (where outcome = 'interrupted') as interrupted
    from webhook_deliveries attempt
    left join webhook_endpoints endpoint on endpoint.id = attempt.endpoint_id
    group by 1, 2`)
  const logged = new Map(rows.map((row) => [row.event, row]))
  const loggedVerifications = new Set(rows.map(({ verification_id }) => verification_id))
  const eventsOf = (ids: readonly string[]) =>
    ids.flatMap((id) => ['hook', ...endpointNames].map((receiver) => `/${receiver} ${id}`))
  const kept = eventsOf(committed.filter((id) => !erased.has(id)))
  const acknowledged = (event: string) => report.acknowledged[event] ?? 0
  const lost = kept.filter((event) => {
    const { delivered = 0, failed = 0 } = logged.get(event) ?? {}
    return acknowledged(event) === 0
      ? failed !== attempts || delivered > 0
      : delivered === 0 && failed !== attempts
  })
  // An event is sent again only if the worker that sent it was killed before it recorded the outcome.
  const repeats = kept.map((event) => ({
    times: Math.max(0, acknowledged(event) - 1),
    interrupted: logged.get(event)?.interrupted ?? 0,
  }))
  const violations = {
    lost: lost.length,
    'repeated without an interrupted attempt': repeats.filter(({ times, interrupted }) => times > interrupted)
      .length,
    'sent although rolled back': eventsOf(rolledBack).filter(
      (event) => acknowledged(event) > 0 || logged.has(event),
    ).length,
    'sent after an erasure': report.after_erasure,
    'left after an erasure': [...erased].filter((id) => loggedVerifications.has(id)).length,
    'with an invalid signature': report.forged,
  }
  for (const [what, count] of Object.entries(violations))
    if (count > 0) process.stderr.write(`${what}: ${count}\n`)
  return {
    name,
    faults: kills,
    acknowledged: kept.length,
    lost: Object.values(violations).reduce((sum, count) => sum + count, 0),
    duplicated: repeats.reduce((sum, { times }) => sum + times, 0),
    duplicates_allowed: kills * maxSenders.tenant,
  }
}
