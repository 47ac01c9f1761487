import type { Log } from '../../platform/log.ts'

/** An orchestrator waits 15 s after SIGTERM before it kills. */
export const shutdownTimeout_ms = 14_500

/** Why a process ends: it was told to, or an error was thrown that nothing handled. */
type ShutdownReason = 'SIGTERM' | 'SIGINT' | 'failed'

/**
 * Waits until a long-running command has to end, and sees to it that it does: whatever still hangs after `killAfter_ms` is
 * cut off, and a second signal ends the process at once. After an error that nothing handled nobody knows what else is broken:
 * it is logged once, and the process drains and exits with 1, so that its supervisor starts another.
 */
export function untilShutdown(log: Log): Promise<ShutdownReason> {
  return new Promise((resolve) => {
    let shuttingDown = false
    const shutDown = (reason: ShutdownReason) => {
      shuttingDown = true
      setTimeout(() => process.exit(1), shutdownTimeout_ms).unref()
      resolve(reason)
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => (shuttingDown ? process.exit(1) : shutDown(signal)))
    for (const event of ['uncaughtException', 'unhandledRejection'] as const)
      process.on(event, (error: unknown) => {
        if (shuttingDown) return
        log.fatal({ err: error }, 'an error was not handled: the process ends')
        shutDown('failed')
      })
  })
}
