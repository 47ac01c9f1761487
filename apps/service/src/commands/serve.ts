import { once } from 'node:events'
import { readServingConfig } from '../config.ts'
import { serve } from '../serve.ts'
import { command } from './command.ts'

/** Together under 15 s, the time an orchestrator waits before it kills; Ctrl-C at a terminal does not wait for idle connections. */
const patience = {
  SIGTERM: { accept_ms: 2000, serve_ms: 10_000 },
  SIGINT: { accept_ms: 0, serve_ms: 500 },
}
export const killAfter_ms = 14_500

export const serveCommand = command({
  summary: 'Runs the HTTP service. Prints one line with the address once it answers.',
  options: {},
  async run() {
    const serving = await serve(readServingConfig())
    process.stdout.write(`Vidimus answers at ${serving.address}\n`)
    const signal = await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
    // Whatever still hangs then must not keep the process. A second signal ends it at once.
    setTimeout(() => process.exit(1), killAfter_ms).unref()
    for (const again of ['SIGTERM', 'SIGINT'] as const) process.once(again, () => process.exit(1))
    await serving.stop(patience[signal[0] === 'SIGINT' ? 'SIGINT' : 'SIGTERM'])
  },
})
