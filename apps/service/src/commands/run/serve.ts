import { readServingConfig } from '../../config.ts'
import { serve } from '../../serve.ts'
import { command } from '../command.ts'
import { untilShutdown } from './until-shutdown.ts'

/** In total less than `shutdownTimeout_ms`. Ctrl-C does not wait for idle connections. */
const drainTimes = {
  SIGTERM: { accept_ms: 2000, serve_ms: 10_000 },
  SIGINT: { accept_ms: 0, serve_ms: 500 },
  failed: { accept_ms: 2000, serve_ms: 5000 },
}

export const serveCommand = command({
  summary: 'Runs the HTTP service. Prints one line with its URL once it accepts requests.',
  options: {},
  async run() {
    const serving = await serve(readServingConfig())
    process.stdout.write(`Vidimus is listening on ${serving.address}\n`)
    const reason = await untilShutdown(serving.ctx.log)
    await serving.stop(drainTimes[reason])
    return reason === 'failed' ? 1 : 0
  },
})
