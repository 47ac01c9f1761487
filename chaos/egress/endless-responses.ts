import { fork } from 'node:child_process'
import { once } from 'node:events'
import { openEgressFixture } from '../../apps/service/test/network/egress-fixture.ts'
import type { ChaosRun } from '../chaos-run.ts'

/** HOOK-6: a receiver can neither keep a connection beyond the time limit nor make us buffer its response. */
const limits = { timeout_ms: 10_000, max_response_bytes: 16 * 1024 }
const grace_ms = 500
const maxGrowth_bytes = 50 * 2 ** 20

/**
 * Posts `n` requests at once to each of several hostile receivers: they send without end, one byte at a time, compressed
 * zeros or hundreds of thousands of headers. They run in a separate process, so that the memory measured is ours. `lost`
 * counts the requests that exceeded the time limit and the receivers that made this process grow.
 */
export const endlessResponses: ChaosRun = async ({ n = 16 }) => {
  const receivers = fork(new URL('./hostile-receivers.ts', import.meta.url))
  const [ports]: Record<string, number>[] = await once(receivers, 'message')
  await using egress = await openEgressFixture({}, '127.0.0.1/32')
  const report = { name: 'bombs', faults: 0, acknowledged: 0, lost: 0, duplicated: 0 }

  for (const [behaviour, port] of Object.entries(ports ?? {})) {
    const memory = watchMemory()
    const posts = Array.from({ length: n }, () => egress.post(`http://127.0.0.1:${port}/`, limits))
    const outcomes = await Promise.all(posts)
    const growth_bytes = memory.stop()
    const longest_ms = Math.max(...outcomes.map(({ duration_ms }) => duration_ms))
    report.faults += n
    report.acknowledged += outcomes.length
    report.lost += outcomes.filter(({ duration_ms }) => duration_ms > limits.timeout_ms + grace_ms).length
    if (growth_bytes > maxGrowth_bytes) report.lost += 1
    const growth = `${(growth_bytes / 2 ** 20).toFixed(1)} MiB`
    process.stderr.write(
      `${behaviour}: ${outcomes[0]?.outcome}, longest ${longest_ms} ms, memory grew by ${growth}\n`,
    )
  }
  receivers.kill()
  return report
}

/** Measures how far the resident memory rises above its value at the start. */
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
