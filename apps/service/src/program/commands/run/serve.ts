import { readServingConfig } from '../../../engine/config/index.ts'
import { command } from '../command.ts'
import { exitAfter, untilShutdown } from './until-shutdown.ts'

/** In total less than `shutdownTimeout_ms`. Ctrl-C does not wait for idle connections. */
const drainTimes = {
  SIGTERM: { accept_ms: 2000, serve_ms: 10_000 },
  SIGINT: { accept_ms: 0, serve_ms: 500 },
  failed: { accept_ms: 2000, serve_ms: 5000 },
}

export const serveCommand = command({
  options: {},
  run: () =>
    exitAfter(async () => {
      const { config, secrets } = readServingConfig()
      // Not loaded by other commands, which need none of it.
      const { serve } = await import('../../serve.ts')
      const serving = await serve({ config, secrets })
      // Before the line: a supervisor may send a signal as soon as it has read it.
      const shutdown = untilShutdown(serving.ctx.log)
      process.stdout.write(`Vidimus is listening on ${serving.address}\n`)
      const reason = await shutdown
      await serving.stop(drainTimes[reason])
      return reason === 'failed' ? 1 : 0
    }),
})
