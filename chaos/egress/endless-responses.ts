import { fork } from 'node:child_process'
import { once } from 'node:events'
import { openEgressFixture } from '../../apps/service/test/network/egress-fixture.ts'
import type { ChaosRun } from '../chaos-run.ts'

/** HOOK-6, and what a receiver may cost: nobody holds a line longer than its time, or makes us remember its answer. */
const limits = { timeout_ms: 10_000, max_response_bytes: 16 * 1024 }
const grace_ms = 500
const maxGrowth_bytes = 50 * 2 ** 20

/**
 * Posts to receivers that send without end, one byte at a time, compressed zeros or headers by the hundred thousand; `n`
 * at once to each. They live in a process of their own, so that the memory that is measured is ours. `lost` counts the
 * requests that took longer than they may, and the receivers that made the process grow.
 */
export const endlessResponses: ChaosRun = async ({ n = 16 }) => {
  const receivers = fork(new URL('./hostile-receivers.ts', import.meta.url))
  const [ports]: Record<string, number>[] = await once(receivers, 'message')
  await using door = await openEgressFixture({}, '127.0.0.1/32')
  const report = { name: 'bombs', faults: 0, acknowledged: 0, lost: 0, duplicated: 0 }

  for (const [behaviour, port] of Object.entries(ports ?? {})) {
    const memory = watchMemory()
    const posts = Array.from({ length: n }, () => door.post(`http://127.0.0.1:${port}/`, limits))
    const outcomes = await Promise.all(posts)
    const growth_bytes = memory.stop()
    const longest_ms = Math.max(...outcomes.map(({ duration_ms }) => duration_ms))
    report.faults += n
    report.acknowledged += outcomes.length
    report.lost += outcomes.filter(({ duration_ms }) => duration_ms > limits.timeout_ms + grace_ms).length
    if (growth_bytes > maxGrowth_bytes) report.lost += 1
    const growth = `${(growth_bytes / 2 ** 20).toFixed(1)} MiB`
    process.stderr.write(
      `${behaviour}: ${outcomes[0]?.outcome}, longest ${longest_ms} ms, grown by ${growth}\n`,
    )
  }
  receivers.kill()
  return report
}

/** How far the resident memory rose above where it began. */
function watchMemory() {
  const start = process.memoryUsage.rss()
  let highest = start
  const timer = setInterval(() => (highest = Math.max(highest, process.memoryUsage.rss())), 20)
  return {
    stop() {
      clearInterval(timer)
      return highest - start
    },
  }
}
