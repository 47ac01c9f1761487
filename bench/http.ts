import { startProcesses } from '../apps/service/test/processes/processes.ts'
import { startBareServer } from './bare-server.ts'
import { compare, type Bench } from './figure.ts'
import type { Load } from './load.ts'
import { compareTails, load, portOf } from './run-load.ts'

const rounds = 5
const environment = {
  REDIS_URL: process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379',
  RATE_LIMITS: 'key=9999999/60,ip=9999999/60,session=9999999/60',
  METRICS_PORT: 'off',
}

/** With a key, for what no verification can have as its ID: rate limits in Redis, the key's row, a log line, metrics, and nothing else. */
export const authenticatedRead = { method: 'GET', paths: ['/v1/verifications/none'], expect: 404 } as const

/** Compared, in alternating rounds, with a bare Fastify route that returns a constant. */
const authenticated: Bench = async () => {
  await using service = await startProcesses(1, { environment })
  const { key } = await service.tenant()
  const reading: Load = {
    ...authenticatedRead,
    port: portOf(service),
    connections: 64,
    seconds: 4,
    keys: [key],
  }
  await using bare = await startBareServer(reading)
  const rates = { values: [] as number[], bare: [] as number[] }
  for (let round = 0; round <= rounds; round += 1) {
    const pair = { ours: (await load(reading)).rate, bare: await bare.rate() }
    // The first pair is the warm-up.
    if (round === 0) continue
    rates.values.push(pair.ours)
    rates.bare.push(pair.bare)
  }
  return [
    compare('http.authenticated', '1/s', rates),
    await compareTails('http.authenticated', {
      prepare: async () => reading,
      rates: rates.values,
      bare_ms: bare.p99_ms,
    }),
  ]
}

export const benches: Record<string, Bench> = { 'http.authenticated': authenticated }
