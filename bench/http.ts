import { fileURLToPath } from 'node:url'
import { startProcesses, type ServiceProcesses } from '../apps/service/test/processes/processes.ts'
import { load, portOf } from './create.ts'
import { compare, median, type Bench } from './figure.ts'

const rounds = 5
const environment = {
  REDIS_URL: process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379',
  RATE_LIMITS: 'key=9999999/60,ip=9999999/60,session=9999999/60',
  METRICS_PORT: 'off',
}

/**
 * A route with a scope that returns a constant: rate limits in Redis, key lookup in PostgreSQL, a log line, metrics. Compared,
 * in alternating rounds, with a bare Fastify route that returns the same constant.
 */
const authenticated: Bench = async () => {
  await using service = await startProcesses(1, { environment, run: program('serve-probes') })
  await using bare = await startProcesses(1, { run: program('serve-bare') })
  const { key } = await service.tenant()
  const rates = { service: [] as number[], bare: [] as number[] }
  await rateOf(service, [key], 2)
  await rateOf(bare, [key], 2)
  for (let round = 0; round < rounds; round += 1) {
    rates.service.push(await rateOf(service, [key], 4))
    rates.bare.push(await rateOf(bare, [key], 4))
  }
  return [compare('http.authenticated', '1/s', { value: median(rates.service), bare: median(rates.bare) })]
}

export const benches: Record<string, Bench> = { 'http.authenticated': authenticated }

function program(name: string): string {
  return fileURLToPath(new URL(`../apps/service/test/${name}.ts`, import.meta.url))
}

async function rateOf(service: ServiceProcesses, keys: string[], seconds: number): Promise<number> {
  const { rate, other } = await load({
    port: portOf(service),
    connections: 64,
    seconds,
    method: 'GET',
    paths: ['/v1/probe'],
    keys,
    expect: 200,
  })
  if (Object.keys(other).length > 0) throw new Error(`some requests failed: ${JSON.stringify(other)}`)
  return rate
}
