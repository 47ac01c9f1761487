import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readConfig } from '../../apps/service/src/engine/config/config.ts'
import { serve } from '../../apps/service/src/program/serve.ts'

/**
 * `vidimus serve` that measures its event loop. After SIGUSR2 the loop never sleeps, and the duration of each of its turns is
 * taken, without the time that the thread waited for a processor. The next SIGUSR2 ends that, and writes the longest one in
 * milliseconds.
 */
const serving = await serve(readConfig())
let longest_ms: number | undefined
let last_ms = 0
let lastWaited_ms = 0

process.on('SIGUSR2', () => {
  if (longest_ms === undefined) {
    longest_ms = 0
    lastWaited_ms = waited_ms()
    last_ms = performance.now()
    setImmediate(turn)
    process.stderr.write('measuring steps\n')
  } else {
    process.stderr.write(`longest step: ${longest_ms.toFixed(3)}\n`)
    longest_ms = undefined
  }
})
process.stdout.write(`Vidimus is listening on ${serving.address}\n`)
await once(process, 'SIGTERM')
await serving.stop({ accept_ms: 2000, serve_ms: 10_000 })

function turn(): void {
  if (longest_ms === undefined) return
  const now_ms = performance.now()
  const took_ms = now_ms - last_ms
  if (took_ms > longest_ms) {
    const waited = waited_ms()
    longest_ms = Math.max(longest_ms, took_ms - (waited - lastWaited_ms))
    lastWaited_ms = waited
  }
  last_ms = performance.now()
  setImmediate(turn)
}

/** How long this thread has waited for a processor: the second value of its `schedstat`, in nanoseconds. */
function waited_ms(): number {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[1]) / 1e6
}
