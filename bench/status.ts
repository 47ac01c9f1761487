import { fileURLToPath } from 'node:url'
import { startProcesses } from '../apps/service/test/processes/processes.ts'
import { load, portOf, repeatAtHalfRate, summarizeTail } from './run-load.ts'
import { compare, type Bench } from './figure.ts'
import type { Load } from './load.ts'

const rounds = 5
const seconds = 4
const verifications = 200

/** Polling the status of open verifications, compared with a bare Fastify route that returns a constant. */
const poll: Bench = async () => {
  const bareProgram = fileURLToPath(new URL('../apps/service/test/serve-bare.ts', import.meta.url))
  await using service = await startProcesses(1, { environment: { LOG_LEVEL: 'error' } })
  await using bare = await startProcesses(1, { run: bareProgram })
  const merchant = await service.tenant({ daily_quota: 1_000_000 })
  const created = await Promise.all(
    Array.from({ length: verifications }, () =>
      merchant.post('/v1/verifications', { template: 'age_over_18' }),
    ),
  )
  const ours = created.map(({ body }) => `/v1/verifications/${body.id}/status`)
  const reading = (port: number, paths: string[]): Load => ({
    port,
    connections: 64,
    seconds,
    method: 'GET',
    paths,
    keys: [],
    expect: 200,
  })
  const polling = reading(portOf(service), ours)
  const probing = reading(portOf(bare), ['/v1/probe'])
  const rates = { ours: [] as number[], bare: [] as number[] }
  for (let round = 0; round <= rounds; round += 1) {
    const pair = { bare: (await load(probing)).rate, ours: (await load(polling)).rate }
    // The first pair is the warm-up.
    if (round === 0) continue
    rates.bare.push(pair.bare)
    rates.ours.push(pair.ours)
  }
  return [
    compare('status.poll', '1/s', { values: rates.ours, bare: rates.bare }),
    summarizeTail('status.poll', await repeatAtHalfRate(polling, rates.ours)),
  ]
}

export const benches: Record<string, Bench> = { 'status.poll': poll }
