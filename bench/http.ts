import { fileURLToPath } from 'node:url'
import { startProcesses, type ServiceProcesses } from '../apps/service/test/processes/processes.ts'
import { compare, type Bench } from './figure.ts'
import type { Load } from './load.ts'
import { load, portOf, repeatAtHalfRate, summarizeTail } from './run-load.ts'

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
  await load({ ...probing(service, key), seconds: 2 })
  await load({ ...probing(bare, key), seconds: 2 })
  for (let round = 0; round < rounds; round += 1) {
    rates.service.push((await load(probing(service, key))).rate)
    rates.bare.push((await load(probing(bare, key))).rate)
  }
  return [
    compare('http.authenticated', '1/s', { values: rates.service, bare: rates.bare }),
    summarizeTail('http.authenticated', await repeatAtHalfRate(probing(service, key), rates.service)),
  ]
}

export const benches: Record<string, Bench> = { 'http.authenticated': authenticated }

function program(name: string): string {
  return fileURLToPath(new URL(`../apps/service/test/${name}.ts`, import.meta.url))
}

function probing(service: ServiceProcesses, key: string): Load {
  return {
    port: portOf(service),
    connections: 64,
    seconds: 4,
    method: 'GET',
    paths: ['/v1/probe'],
    keys: [key],
    expect: 200,
  }
}
