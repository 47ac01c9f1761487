import { sql } from '../apps/service/src/engine/db/sql.ts'
import { startProcesses, type ServiceProcesses } from '../apps/service/test/processes/processes.ts'
import type { Merchant } from '../apps/service/test/service.ts'
import { creations } from './create.ts'
import { compare, type Bench, type Figure } from './figure.ts'
import { load } from './run-load.ts'

const rounds = 6
const seconds = 10
const per_second = 1000
/** So many that no request is sampled out: every creation is written to the log. */
const tenants = 200

/**
 * The 99th percentile and the median of a creation at 1,000 creations a second offered, with the request log compared with
 * without it. The two sides take turns, and every second round begins with the other one.
 */
export const benches: Record<string, Bench> = {
  'request_log.creations': async () => {
    await using on = await openSide('on')
    await using off = await openSide('off')
    const times = () => ({ p50: [] as number[], p99: [] as number[] })
    const sides = { on: { ...on, ...times() }, off: { ...off, ...times() } }
    // Warms up connections, plans and the compiler of both.
    for (const side of [sides.on, sides.off]) await offer(side)
    for (let round = 0; round < rounds; round += 1) {
      const order = round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const)
      for (const name of order) {
        const { p50_ms, p99_ms } = await offer(sides[name])
        sides[name].p50.push(p50_ms)
        sides[name].p99.push(p99_ms)
      }
    }
    return [
      compare('request_log.creations.p99', 'ms at 1,000/s', { values: sides.on.p99, bare: sides.off.p99 }),
      compare('request_log.creations.p50', 'ms at 1,000/s', { values: sides.on.p50, bare: sides.off.p50 }),
      await readWritten(sides.on),
    ]
  },
}

type Side = { service: ServiceProcesses; merchants: Merchant[] }

async function openSide(REQUEST_LOG: 'on' | 'off'): Promise<Side & AsyncDisposable> {
  const service = await startProcesses(1, { environment: { LOG_LEVEL: 'error', REQUEST_LOG } })
  const merchants = await Promise.all(
    Array.from({ length: tenants }, () => service.tenant({ daily_quota: 2_000_000_000 })),
  )
  return { service, merchants, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
}

function offer({ service, merchants }: Side) {
  return load({ ...creations(service, merchants), seconds, per_second })
}

/** Shows that the side with the log did write it. */
async function readWritten({ service }: Side): Promise<Figure> {
  const [row] = await service.ctx.db.query<{ written: number }>(
    sql`select count(*) as written from request_log`,
  )
  return { name: 'request_log.written', value: row?.written ?? 0, unit: 'rows' }
}
