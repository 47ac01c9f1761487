import { setTimeout as sleep } from 'node:timers/promises'
import { caller } from '../../apps/service/test/caller.ts'
import { startProcesses, type ServiceProcess } from '../../apps/service/test/processes/processes.ts'
import { startRedisServer, type RedisServer } from '../../apps/service/test/processes/redis-server.ts'
import { sourceFaults } from '../../apps/service/test/injected-faults.ts'
import type { InjectedFault } from '../../apps/service/test/processes/inject-faults.ts'
import type { ChaosRun, ChaosReport } from '../chaos-run.ts'

const fullSize = 20
const requests_per_second = 200
const downtime_ms = 1500
const uptime_ms = 1000
const bounds = { response_ms: 250, shared_again_ms: 3000 }

/**
 * Sends 200 requests a second to two processes while Redis is killed and restarted repeatedly. `lost` counts responses other
 * than 200; requests that take 250 ms longer than a simultaneous control request to the same process, which uses the
 * database but not Redis (a busy machine delays both); kills that the metrics did not show; and restarts after which a
 * process kept its own count for more than three seconds.
 */
export const redisKilled: ChaosRun = ({ n = fullSize }) => run('redis', n, [])

/** The same with a rate limiter that fails without Redis. The run must detect it. */
export const redisKilledWithInjectedFault: ChaosRun = ({ n = fullSize }) =>
  run('redis.injected', n, sourceFaults.failsWithoutRedis)

async function run(name: string, kills: number, injectedFaults: InjectedFault[]): Promise<ChaosReport> {
  await using redis = await startRedisServer()
  await using service = await startProcesses(2, {
    injectedFaults,
    environment: {
      REDIS_URL: redis.url,
      RATE_LIMITS: 'key=9999999/60,ip=9999999/60,session=9999999/60',
    },
  })
  const { key } = await service.tenant()
  const limiterMetrics = await Promise.all(service.processes.map(openLimiterMetrics))
  await warmUp(service.processes, key)
  const abort = new AbortController()
  const loading = load(service.processes, key, abort.signal)
  let missed = 0
  for (let count = 0; count < kills; count += 1) missed += await killOnce(redis, limiterMetrics)
  abort.abort()
  const { responded, failed, slow, slowest_ms, late, control_late } = await loading
  process.stderr.write(
    `${name}: ${responded} succeeded, ${failed} failed, ${slow} slow, slowest ${slowest_ms} ms more than its control, ${missed} missed; ` +
      `in absolute time ${late} took over ${bounds.response_ms} ms, and so did ${control_late} of the control requests\n`,
  )
  return { name, faults: kills, acknowledged: responded, lost: failed + slow + missed, duplicated: 0 }
}

type LimiterMetrics = { isShared: () => Promise<boolean> }

/** Kills and restarts Redis. Returns the number of processes whose metrics missed the outage or that resumed sharing too late. */
async function killOnce(redis: RedisServer, limiterMetrics: LimiterMetrics[]): Promise<number> {
  await sleep(uptime_ms)
  await redis.kill()
  await sleep(downtime_ms)
  const sharedWhileDown = await Promise.all(limiterMetrics.map(({ isShared }) => isShared()))
  await redis.start()
  const returned = performance.now()
  let unshared = limiterMetrics.length
  while (unshared > 0 && performance.now() - returned < bounds.shared_again_ms) {
    await sleep(50)
    unshared = (await Promise.all(limiterMetrics.map(({ isShared }) => isShared()))).filter(
      (shared) => !shared,
    ).length
  }
  return sharedWhileDown.filter((shared) => shared).length + unshared
}

async function openLimiterMetrics({ log }: ServiceProcess): Promise<LimiterMetrics> {
  const address = () => /"metrics_address":"([^"]+)"/.exec(log())?.[1]
  while (address() === undefined) await sleep(20)
  return {
    async isShared() {
      const text = await (await fetch(`${address()}/metrics`)).text()
      return /^vidimus_limiter_shared 1$/m.test(text)
    },
  }
}

/** Warm-up: the first requests of a process compile its code. */
async function warmUp(processes: ServiceProcess[], key: string): Promise<void> {
  for (const { address } of processes) {
    for (let round = 0; round < 50; round += 1) {
      await Promise.all(Array.from({ length: 8 }, () => caller(address, key).get('/v1/usage')))
    }
  }
}

/** Sends requests at a steady rate without waiting for the responses. */
async function load(processes: ServiceProcess[], key: string, abort: AbortSignal) {
  const counts = { responded: 0, failed: 0, slow: 0, slowest_ms: 0, late: 0, control_late: 0 }
  const callers = processes.map(({ address }) => caller(address, key))
  const pending = new Set<Promise<void>>()
  const started = performance.now()
  for (let sent = 0; !abort.aborted; sent += 1) {
    const early_ms = started + (sent * 1000) / requests_per_second - performance.now()
    if (early_ms > 0) await sleep(early_ms)
    const one = timeRequest(sent).finally(() => pending.delete(one))
    pending.add(one)
  }
  await Promise.all(pending)
  return counts

  async function timeRequest(turn: number): Promise<void> {
    const sentAt = performance.now()
    const to = callers[turn % callers.length]
    const timed = async (path: string) => {
      const response = await to?.get(path).catch(() => undefined)
      return { response, took_ms: Math.round(performance.now() - sentAt) }
    }
    const [limited, unlimited] = await Promise.all([timed('/v1/usage'), timed('/readyz')])
    const longer_ms = limited.took_ms - unlimited.took_ms
    counts.slowest_ms = Math.max(counts.slowest_ms, longer_ms)
    if (limited.took_ms > bounds.response_ms) counts.late += 1
    if (unlimited.took_ms > bounds.response_ms) counts.control_late += 1
    if (limited.response?.status !== 200) counts.failed += 1
    else if (longer_ms > bounds.response_ms) counts.slow += 1
    else counts.responded += 1
  }
}
