import type { Caller } from '../../apps/service/test/caller.ts'
import type { ChaosRun } from '../chaos-run.ts'
import { startCellProcesses } from './start-cell-processes.ts'

const fullSize = 10
const window_ms = 5000
const clients = 16

/**
 * Creations per second of two cells beside those of one, in N pairs of windows with the same number of clients. On one machine the cells share
 * its cores, so the ratio says what a second cell costs, not what it gains. Every acknowledged creation must be charged in its own cell.
 */
export const cellThroughput: ChaosRun = async ({ n = fullSize }) => {
  await using fixture = await startCellProcesses()
  const { a, b } = fixture.merchants
  const created = { a: 0, b: 0 }
  const measure = async (share: number) => {
    const [ofA, ofB] = await Promise.all([create(a, clients - share), create(b, share)])
    created.a += ofA
    created.b += ofB
    return ofA + ofB
  }
  await measure(clients / 2)
  const pairs: { one: number; two: number }[] = []
  for (let round = 0; round < n; round += 1)
    pairs.push({ one: await measure(0), two: await measure(clients / 2) })
  const ratios = pairs.map(({ one, two }) => two / one).toSorted((one, other) => one - other)
  const rates = pairs.map(({ one, two }) => [one, two].map((count) => Math.round((count * 1000) / window_ms)))
  process.stderr.write(
    `two cells to one: median ${ratios[Math.floor(n / 2)]?.toFixed(2)} (${ratios[0]?.toFixed(2)}–${ratios.at(-1)?.toFixed(2)}), creations/s ${JSON.stringify(rates)}\n`,
  )
  const charged = { a: await readUsage(a), b: await readUsage(b) }
  const lost = Math.max(0, created.a - charged.a) + Math.max(0, created.b - charged.b)
  const duplicated = Math.max(0, charged.a - created.a) + Math.max(0, charged.b - created.b)
  return { name: 'cells.throughput', faults: 0, acknowledged: created.a + created.b, lost, duplicated }
}

/** How many creations so many clients got within the window, one after the other each. */
async function create(merchant: Caller, count: number): Promise<number> {
  const until = performance.now() + window_ms
  const counts = await Promise.all(
    Array.from({ length: count }, async () => {
      let done = 0
      while (performance.now() < until) {
        const { status } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
        if (status === 201) done += 1
      }
      return done
    }),
  )
  return counts.reduce((sum, each) => sum + each, 0)
}

async function readUsage(merchant: Caller): Promise<number> {
  const { body } = await merchant.get('/v1/usage')
  return body.verifications_created
}
