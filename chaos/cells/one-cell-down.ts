import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../../apps/service/test/caller.ts'
import { waitUntil } from '../../apps/service/test/wait-until.ts'
import type { ChaosRun } from '../chaos-run.ts'
import { startCellProcesses } from './start-cell-processes.ts'

const fullSize = 20
const window_ms = 4000
const interval_ms = 100
/** The other cell's 99th percentile may rise by a tenth. */
const maxRatio = 1.1

/** Freezes one of two cells N times, each time beside a window with both, under the same load on both. The other cell must not notice. */
export const oneCellDown: ChaosRun = async ({ n = fullSize }) => {
  await using fixture = await startCellProcesses()
  const { a, b } = fixture.merchants
  const [frozen] = fixture.cells.b.processes
  const both: number[] = []
  const alone: number[] = []
  let failed = 0
  const measure = async () => {
    const [measured] = await Promise.all([load(a), load(b)])
    failed += measured.failed
    return measured.durations_ms
  }
  await measure()
  for (let round = 0; round < n; round += 1) {
    both.push(...(await measure()))
    frozen?.child.kill('SIGSTOP')
    // The router's checks take it out.
    await waitUntil(async () => (await b.get('/v1/usage', { noRetry: true })).status === 503)
    alone.push(...(await measure()))
    frozen?.child.kill('SIGCONT')
    await waitUntil(async () => (await b.get('/v1/usage', { noRetry: true })).status === 200)
  }
  const [p99Both, p99Alone] = [percentile99(both), percentile99(alone)]
  process.stderr.write(
    `p99 with both ${p99Both} ms of ${both.length}, with one down ${p99Alone} ms of ${alone.length}\n`,
  )
  return {
    name: 'cells.one_down',
    faults: n,
    acknowledged: both.length + alone.length,
    lost: failed,
    duplicated: 0,
    p99_ms: p99Alone,
    p99_allowed_ms: Math.round(p99Both * maxRatio),
  }
}

/** Creates and reads at a fixed rate, whether or not responses arrive. */
async function load(merchant: Caller): Promise<{ durations_ms: number[]; failed: number }> {
  const durations_ms: number[] = []
  let failed = 0
  const open: Promise<void>[] = []
  for (const until = performance.now() + window_ms; performance.now() < until;) {
    open.push(
      createAndRead(merchant).then(
        (duration) => void durations_ms.push(duration),
        () => void (failed += 1),
      ),
    )
    await sleep(interval_ms)
  }
  await Promise.all(open)
  return { durations_ms, failed }
}

async function createAndRead(merchant: Caller): Promise<number> {
  const start = performance.now()
  const made = await merchant.post('/v1/verifications', { template: 'age_over_18' }, { noRetry: true })
  const read = await merchant.get(`/v1/verifications/${made.body.id}`, { noRetry: true })
  if (made.status !== 201 || read.status !== 200) throw new Error(`${made.status} and ${read.status}`)
  return performance.now() - start
}

function percentile99(durations_ms: number[]): number {
  return Math.round(
    durations_ms.toSorted((one, other) => one - other)[Math.floor(durations_ms.length * 0.99)] ?? 0,
  )
}
