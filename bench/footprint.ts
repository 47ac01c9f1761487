import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestDatabase } from '../apps/service/test/database/test-database.ts'
import { startProcesses } from '../apps/service/test/processes/processes.ts'
import { startProgram } from '../apps/service/test/processes/start-program.ts'
import { testEnvironment } from '../apps/service/test/service.ts'
import { waitUntil } from '../apps/service/test/wait-until.ts'
import { measureUsage } from './cost/observe.ts'
import { startOwnServers, type OwnServers } from './cost/servers.ts'
import { startWork } from './cost/work.ts'
import { creations } from './create.ts'
import { round, summarize, type Bench, type Figure } from './figure.ts'
import { load } from './run-load.ts'

const rounds = 3
const processCounts = [1, 2, 4]
const connections = 64
const idle_ms = 20_000
const pause_ms = 5000
const starts = 5
const deliveries = 10_000
const sampling_ms = 100
const readyLines = { serve: 'Vidimus is listening', work: 'Vidimus worker is running' }
type Role = keyof typeof readyLines

/** What a process needs besides the work itself, and what more processes on one machine bring. */
const footprint: Bench = async () => {
  await using servers = await startOwnServers()
  return [
    ...(await measureIdle('serve', servers)),
    ...(await measureIdle('work', servers)),
    ...(await measureCreations(servers)),
    await measureDeliveries(),
  ]
}

export const benches: Record<string, Bench> = { footprint }

/** Time from start to ready, and CPU, queries and memory of a process that nobody uses. */
async function measureIdle(role: Role, servers: OwnServers): Promise<Figure[]> {
  await using database = await createTestDatabase()
  const environment = productionEnvironment(database.url, servers)
  const times_ms: number[] = []
  for (let start = 1; start < starts; start += 1) {
    await using started = await startAndTime(role, environment)
    times_ms.push(started.took_ms)
  }
  await using last = await startAndTime(role, environment)
  times_ms.push(last.took_ms)
  const { pid = 0 } = last.program.child
  await sleep(pause_ms)
  const usage = await measureUsage(servers, { node: pid, database: database.name }, () => sleep(idle_ms))
  const share = (used_us: number) => round(used_us / 10 / idle_ms)
  const figure = (name: string, value: number, unit: string) => ({
    name: `footprint.${role}.${name}`,
    value,
    unit,
  })
  return [
    summarize(`footprint.${role}.start`, 'ms to ready', times_ms),
    figure('idle_cpu', share(usage.main + usage.threads + usage.runtime), '% of a core'),
    figure('idle_postgres_cpu', share(usage.postgres), '% of a core'),
    figure('idle_queries', round(usage.statements / (idle_ms / 1000)), '1/s'),
    figure('memory_at_rest', readMemory(pid), 'MB'),
  ]
}

async function startAndTime(role: Role, environment: Record<string, string>) {
  const started = performance.now()
  const program = startProgram({ args: [role], environment })
  await waitUntil(() => program.output().includes(readyLines[role]), { within_ms: 60_000, every_ms: 5 })
  const took_ms = performance.now() - started
  return { program, took_ms, [Symbol.asyncDispose]: () => program[Symbol.asyncDispose]() }
}

/** Creations by one or more processes, which share the cores with the database and the load generators. */
async function measureCreations(servers: OwnServers): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const count of processCounts) {
    await using service = await startProcesses(count, { environment: rateLimits(servers) })
    const merchant = await service.tenant({ daily_quota: 2_000_000_000 })
    const pids = service.processes.map(({ child }) => child.pid ?? 0)
    using memory = sampleMemory(pids)
    const rates: number[] = []
    for (let turn = 0; turn <= rounds; turn += 1) {
      const results = await Promise.all(
        service.processes.map(({ address }) =>
          load({
            ...creations(service, [merchant]),
            port: Number(new URL(address).port),
            connections: connections / count,
          }),
        ),
      )
      // The first round is the warm-up.
      if (turn > 0) rates.push(results.reduce((sum, { rate }) => sum + rate, 0))
    }
    figures.push(summarize(`footprint.create.processes_${count}`, 'creations/s', rates))
    if (count === 1) figures.push(summarize('footprint.serve.memory_under_load', 'MB', [memory.highest()]))
  }
  return figures
}

async function measureDeliveries(): Promise<Figure> {
  await using work = await startWork()
  const deliver = await work.prepareDeliveries(deliveries)
  using memory = sampleMemory([work.pid ?? 0])
  await deliver()
  return summarize('footprint.work.memory_under_load', 'MB', [memory.highest()])
}

function sampleMemory(pids: readonly number[]) {
  let highest = 0
  const timer = setInterval(() => (highest = Math.max(highest, ...pids.map(readMemory))), sampling_ms)
  return { highest: () => highest, [Symbol.dispose]: () => clearInterval(timer) }
}

/** The memory in use by a process (resident set), in MB. */
export function readMemory(pid: number): number {
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  return Math.round(kilobytes / 1024)
}

const rateLimits = ({ redis }: OwnServers) => ({
  REDIS_URL: redis.url,
  RATE_LIMITS: 'key=9999999/60,ip=9999999/60,session=9999999/60',
})

function productionEnvironment(database_url: string, servers: OwnServers): Record<string, string> {
  return testEnvironment(database_url, rateLimits(servers))
}
