import { startProcesses } from '../apps/service/test/processes/processes.ts'
import { startBareServer } from './bare-server.ts'
import { compare, type Bench } from './figure.ts'
import type { Load } from './load.ts'
import { compareTails, load, portOf } from './run-load.ts'

const rounds = 5
const verifications = 200

/** Polling the status of open verifications, compared with a bare Fastify route that returns a constant. */
const poll: Bench = async () => {
  await using service = await startProcesses(1, { environment: { LOG_LEVEL: 'error' } })
  const merchant = await service.tenant({ daily_quota: 1_000_000 })
  const created = await Promise.all(
    Array.from({ length: verifications }, () =>
      merchant.post('/v1/verifications', { template: 'age_over_18' }),
    ),
  )
  const polling: Load = {
    port: portOf(service),
    connections: 64,
    seconds: 4,
    method: 'GET',
    paths: created.map(({ body }) => `/v1/verifications/${body.id}/status`),
    keys: [],
    expect: 200,
  }
  await using bare = await startBareServer(polling)
  const rates = { values: [] as number[], bare: [] as number[] }
  for (let round = 0; round <= rounds; round += 1) {
    const pair = { bare: await bare.rate(), ours: (await load(polling)).rate }
    // The first pair is the warm-up.
    if (round === 0) continue
    rates.bare.push(pair.bare)
    rates.values.push(pair.ours)
  }
  return [
    compare('status.poll', '1/s', rates),
    await compareTails('status.poll', {
      prepare: async () => polling,
      rates: rates.values,
      bare_ms: bare.p99_ms,
    }),
  ]
}

export const benches: Record<string, Bench> = { 'status.poll': poll }
