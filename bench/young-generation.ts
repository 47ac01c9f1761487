import { packedProgram } from '../apps/service/test/processes/packed-program.ts'
import { startProcesses, type ServiceProcesses } from '../apps/service/test/processes/processes.ts'
import { observeCpu } from './cost/cpu.ts'
import { startOwnServers } from './cost/servers.ts'
import { creations } from './create.ts'
import { summarize, type Bench } from './figure.ts'
import { readMemory } from './footprint.ts'
import { authenticatedRead } from './http.ts'
import type { Load } from './load.ts'
import { load, portOf } from './run-load.ts'
import { create } from './wallet.ts'

/** Each side is measured first, second and last equally often. */
const rounds = 6
const seconds = 4
const verifications = 200
/** Below what two shared cores reach, so that all sides get the same work. */
const rates = { poll: 3000, create: 700, authenticated: 4000, request: 1200 }
/** Without a flag, the program chooses; 32 is what V8 would choose on a machine with 16 GB. */
const sides = {
  program: undefined,
  size: '--max-semi-space-size=32',
  pretenuring: '--allocation-site-pretenuring',
}

/** What the flags of `main.ts` change, of three `serve` in turn: the slowest responses, CPU and memory. */
const youngGeneration: Bench = async () => {
  await using servers = await startOwnServers()
  await using stack = new AsyncDisposableStack()
  const measured: Record<string, number[]> = {}
  const note = (name: string, unit: string, value: number) => (measured[`${name} ${unit}`] ??= []).push(value)
  const running: { side: string; service: ServiceProcesses; loads: Record<keyof typeof rates, Load> }[] = []
  for (const [side, flag] of Object.entries(sides)) {
    const withFlag = flag !== undefined && { run: flag, args: [packedProgram(), 'serve'] }
    const service = stack.use(await startProcesses(1, { environment: { LOG_LEVEL: 'error' }, ...withFlag }))
    running.push({ side, service, loads: await prepareLoads(service) })
  }
  for (let round = 0; round <= rounds; round += 1) {
    const first = round % running.length
    for (const { side, service, loads } of [...running.slice(first), ...running.slice(0, first)]) {
      const [pid] = service.processes.map(({ child }) => child.pid)
      for (const [name, what] of Object.entries(loads)) {
        using cpu = observeCpu({
          node: pid,
          postgres: servers.postgres.pid,
          except: [],
          redis: servers.redis.pid,
        })
        const before = cpu.read()
        const { count, p99_ms } = await load(what)
        const after = cpu.read()
        // The first round is the warm-up.
        if (round === 0) continue
        note(`young_generation.${side}.${name}.p99`, 'ms', p99_ms)
        note(`young_generation.${side}.${name}.main`, 'µs', (after.main - before.main) / count)
        note(`young_generation.${side}.${name}.collector`, 'µs', (after.runtime - before.runtime) / count)
      }
      note(`young_generation.${side}.memory`, 'MB', readMemory(pid ?? 0))
    }
  }
  return Object.entries(measured).map(([key, values]) => {
    const [name = '', unit = ''] = key.split(' ')
    return summarize(name, unit, values)
  })
}

export const benches: Record<string, Bench> = { young_generation: youngGeneration }

async function prepareLoads(service: ServiceProcesses): Promise<Record<keyof typeof rates, Load>> {
  const merchant = await service.tenant({ daily_quota: 1_000_000_000 })
  const created = await create(merchant, verifications)
  const common = { port: portOf(service), connections: 64, seconds, keys: [], method: 'GET' } as const
  const read = { ...common, expect: 200 }
  return {
    poll: {
      ...read,
      paths: created.map(({ id }) => `/v1/verifications/${id}/status`),
      per_second: rates.poll,
    },
    create: { ...creations(service, [merchant]), seconds, per_second: rates.create },
    authenticated: {
      ...common,
      ...authenticatedRead,
      keys: [merchant.key],
      per_second: rates.authenticated,
    },
    request: {
      ...read,
      paths: created.map(({ id }) => `/wallet/request/${id}`),
      per_second: rates.request,
    },
  }
}
