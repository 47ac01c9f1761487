import type { Log } from '../../../engine/observability/index.ts'

/** An orchestrator waits 15 s after SIGTERM before it sends SIGKILL. */
export const shutdownTimeout_ms = 14_500

/** How long a process stays once everything is closed. Draining for twelve seconds and the last spans come before. */
export const exitTimeout_ms = 1000

/** Why a process ends: a signal, or an unhandled error. */
type ShutdownReason = 'SIGTERM' | 'SIGINT' | 'failed'

/**
 * Waits until a long-running command has to end, and makes sure that it does: the process exits after `shutdownTimeout_ms` at
 * the latest, and at once on a second signal. After an unhandled error the state of the process is unknown, so the error is
 * logged once, and the process drains and exits with 1 for its supervisor to restart it.
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
        log.fatal({ err: error }, 'unhandled error: the process is shutting down')
        shutDown('failed')
      })
  })
}

/**
 * Runs a long-running command, and ends the process `exitTimeout_ms` after it. Everything that matters is closed by then; what may still
 * wait is a timer of a library, such as the exporter of traces before it repeats an export.
 */
export async function exitAfter(run: () => Promise<number>): Promise<number> {
  const status = await run()
  setTimeout(() => process.exit(status), exitTimeout_ms).unref()
  return status
}
