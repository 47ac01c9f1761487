import { fork, spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openRedis } from '../apps/service/src/platform/redis/open.ts'
import { sql } from '../apps/service/src/platform/db/sql.ts'
import { eraseVerification } from '../apps/service/src/verifications/retention/erase.ts'
import { insertCompletedSessions } from '../apps/service/test/database/completed-sessions.ts'
import { startProcesses, type ServiceProcesses } from '../apps/service/test/processes/processes.ts'
import { startRedisServer } from '../apps/service/test/processes/redis-server.ts'
import { testEnvironment, type Merchant } from '../apps/service/test/service.ts'
import { waitUntil } from '../apps/service/test/wait-until.ts'
import type { Report, Told } from './flaky-receiver.ts'
import type { Plant } from './plant.ts'
import type { Chaos, Ledger } from './run.ts'

const fullSize = 20_000
const eventsPerKill = 200
const workers = 2
const betweenKills_ms = 3000
const killsPerFlush = 10
const shareErased = 0.02
const shareRolledBack = 0.05
const attempts = 6
const environment = {
  WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8',
  WEBHOOK_BACKOFF_SECONDS: '1,1,2,2,3',
  METRICS_PORT: 'off',
  LOG_LEVEL: 'error',
}

/**
 * Results are committed, or rolled back, while three in ten attempts fail, workers are killed, Redis is flushed and some
 * verifications are erased. In the end the receiver has acknowledged every event, or six attempts of it are logged; nothing
 * was sent of a result that was rolled back, nor after an erasure had answered. `lost` counts what breaks this.
 */
export const webhooks: Chaos = ({ n = fullSize }) => run('webhooks', n, [])

/** The same with a fault planted: an event is marked as delivered before it is sent. The run must miss events then. */
export const webhooksWithPlantedFault: Chaos = ({ n = fullSize }) => run('webhooks.planted', n, markFirst)

const markFirst: Plant[] = [
  {
    file: '/webhooks/send.ts',
    find: 'const ended = await attemptDelivery(',
    put: `await record(event, { outcome: 'answered', status: 200, headers: {}, body: Buffer.alloc(0), complete: true, duration_ms: 0 })
    const ended = await attemptDelivery(`,
  },
]

async function run(name: string, events: number, plants: Plant[]): Promise<Ledger> {
  await using service = await startProcesses(0, { environment })
  const merchant = await service.tenant()
  await using receiver = await startReceiver(merchant.webhook_secret)
  await using redis = await startRedisServer()
  await using crew = await startCrew(service, { plants, redis_url: redis.url })
  const kills = Math.ceil(events / eventsPerKill)
  const [written] = await Promise.all([
    write(service, merchant, { events, kills, receiver }),
    crew.kill(kills),
  ])
  const queued = async () => (await service.ctx.db.query(sql`select 1 from webhook_queue limit 1`)).length > 0
  await waitUntil(async () => !(await queued()), { within_ms: 300_000, every_ms: 200 })
  return await settle(name, service, { ...written, report: await receiver.report(), kills })
}

async function startReceiver(secret: string) {
  const child = fork(new URL('./flaky-receiver.ts', import.meta.url), [secret])
  const [listening]: { port: number }[] = await once(child, 'message')
  const tell = (told: Told) => void child.send(told)
  return {
    url: `http://127.0.0.1:${listening?.port}/hook`,
    tell,
    async report(): Promise<Report> {
      tell('report')
      const [report]: Report[] = await once(child, 'message')
      if (report === undefined) throw new Error('the receiver is gone')
      return report
    },
    async [Symbol.asyncDispose]() {
      child.kill()
    },
  }
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>

type Crew = { plants: Plant[]; redis_url: string }

/** Workers in processes of their own, which are killed at random and replaced. */
async function startCrew({ database_url }: ServiceProcesses, { plants, redis_url }: Crew) {
  const crew: ChildProcess[] = []
  const redis = openRedis(redis_url)
  const program = fileURLToPath(new URL('./plant.ts', import.meta.url))
  const hire = () => {
    const child = spawn(process.execPath, [program, 'work'], {
      env: {
        PATH: process.env['PATH'],
        PLANT: JSON.stringify(plants),
        ...testEnvironment(database_url, { ...environment, REDIS_URL: redis_url }),
      },
      stdio: 'ignore',
    })
    crew.push(child)
  }
  const end = async (child: ChildProcess | undefined) => {
    if (child === undefined || child.exitCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  for (let count = 0; count < workers; count += 1) hire()
  return {
    async kill(kills: number): Promise<void> {
      for (let count = 1; count <= kills; count += 1) {
        await sleep(betweenKills_ms)
        await end(crew.splice(randomInt(crew.length), 1)[0])
        hire()
        if (count % killsPerFlush === 0) await redis.flushall()
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(crew.map(end))
      redis.disconnect()
    },
  }
}

type Written = { committed: string[]; rolledBack: string[]; erased: Set<string> }
type Writing = { events: number; kills: number; receiver: Receiver }

/** Commits the events over the time that the kills take, some in transactions that fail, and erases a few soon after. */
async function write(
  { ctx }: ServiceProcesses,
  merchant: Merchant,
  { events, kills, receiver }: Writing,
): Promise<Written> {
  const written: Written = { committed: [], rolledBack: [], erased: new Set() }
  const erasures: Promise<void>[] = []
  const batch = 20
  const pause_ms = (kills * betweenKills_ms) / (events / batch)
  const { tenant_id, key_id } = merchant
  const erase = async (id: string) => {
    await sleep(randomInt(1500))
    await eraseVerification(ctx, { kind: 'key', key_id, tenant_id, environment: 'test', scopes: [] }, id)
    receiver.tell({ erased: id })
    written.erased.add(id)
  }
  while (written.committed.length < events) {
    const fails = Math.random() < shareRolledBack
    let ids: string[] = []
    await ctx.db
      .transaction(async (tx) => {
        ids = await insertCompletedSessions(tx, { tenant_id, url: receiver.url, count: batch })
        if (fails) throw new Error('rolled back on purpose')
      })
      .catch((error: unknown) => {
        if (!fails) throw error
      })
    if (fails) written.rolledBack.push(...ids)
    else written.committed.push(...ids)
    if (!fails) erasures.push(...ids.filter(() => Math.random() < shareErased).map(erase))
    await sleep(pause_ms)
  }
  await Promise.all(erasures)
  return written
}

type Found = Written & { report: Report; kills: number }

async function settle(
  name: string,
  { ctx }: ServiceProcesses,
  { committed, rolledBack, erased, report, kills }: Found,
): Promise<Ledger> {
  const rows = await ctx.db.query<{ session_id: string; delivered: number; failed: number }>(sql`
    select session_id, count(*) filter (where outcome = 'delivered') as delivered,
      count(*) filter (where outcome not in ('delivered', 'interrupted')) as failed
    from webhook_deliveries group by session_id`)
  const logged = new Map(rows.map((row) => [row.session_id, row]))
  const kept = committed.filter((id) => !erased.has(id))
  const acknowledged = (id: string) => report.acknowledged[id] ?? 0
  const lost = kept.filter((id) => {
    const { delivered = 0, failed = 0 } = logged.get(id) ?? {}
    return acknowledged(id) === 0
      ? failed !== attempts || delivered > 0
      : delivered === 0 && failed !== attempts
  })
  const wrong = {
    lost: lost.length,
    'sent although rolled back': rolledBack.filter((id) => acknowledged(id) > 0 || logged.has(id)).length,
    'sent after an erasure': report.after_erasure,
    'left after an erasure': [...erased].filter((id) => logged.has(id)).length,
    'wrongly signed': report.forged,
  }
  for (const [what, count] of Object.entries(wrong))
    if (count > 0) process.stderr.write(`${what}: ${count}\n`)
  return {
    name,
    faults: kills,
    acknowledged: kept.length,
    lost: Object.values(wrong).reduce((sum, count) => sum + count, 0),
    duplicated: committed.reduce((sum, id) => sum + Math.max(0, acknowledged(id) - 1), 0),
    // A worker that keeps up has one message open to a host; killed before its outcome is recorded, it is sent again.
    duplicates_allowed: kills,
  }
}
